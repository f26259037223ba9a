(** An accepted result has the traces of its input. *)

From Coq Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Trellis Require Import Machine Ssa Check Sound.

Section Traces.
Context {M : Model}.
Variables I R : func.
Variables entry first : block.
Variable G : graph.
Hypothesis wf_I : well_formed I.
Hypothesis wf_R : well_formed R.
Hypothesis ssa_I : ssa I entry.
Hypothesis acc : accepted I R entry first G.

Implicit Types s : state G.

Hypothesis ordered_R : forall s : state G, in_order R (at_ G s).

Local Notation related := (related I R G).
Local Notation moved := (related_moves I R entry first G wf_I wf_R acc ordered_R).

Variables (rank : state G -> nat) (endless : state G -> bool).
Hypothesis endless_passes : forall s, endless s = true ->
  passes R G s /\ exists b, ahead (to G s) = Some b /\ forall n, passes_blocks I n b.
Hypothesis ranked : forall s m s', way G s m s' ->
  match m with
  | Both _ => True
  | Result => if endless s then endless s' = true else rank s' < rank s
  | Input => rank s' < rank s
  end.

Lemma run_run : forall f n m c, run f n (run f m c) = run f (n + m) c.
Proof. induction n; intros; simpl; [|rewrite IHn]; reflexivity. Qed.

Lemma run_done : forall f n kind v t, run f n (Done kind v t) = Done kind v t.
Proof. induction n; intros; simpl; [|rewrite IHn]; reflexivity. Qed.

(** The input passes blocks without end. *)
Lemma endless_run : forall n b e t, passes_blocks I n b ->
  exists b' e', run I n (Run b e t) = Run b' e' t.
Proof.
  induction n as [|n IH]; intros b e t H; [simpl; eauto|].
  inversion H as [|n' b1 b' (Hi & Hs & Hone) Hp]; subst. rewrite run_shift.
  destruct (leave_or_end I b e) as [(b2 & Hg & Hs2)|(kind & v & Ht)].
  - rewrite (step_empty I b e t b2 Hi Hg). rewrite (Hone _ Hs2). exact (IH _ _ _ Hp).
  - exfalso. unfold successor in Hs. now rewrite Ht in Hs.
Qed.

(** Both pass blocks without end. *)
Definition idle (cI cR : config) : Prop :=
  exists s cI0 n, endless s = true /\ related s cI0 cR /\ cI = run I n cI0.

Lemma idle_run : forall cI cR, idle cI cR ->
  (exists b e, cI = Run b e (trace_of cR)) /\ exists b e t, cR = Run b e t.
Proof.
  intros cI cR (s & cI0 & n & He & H & ->).
  destruct (endless_passes s He) as (Hp & b & Hb & Hpass).
  destruct (passes_moves I R entry first G wf_R acc ordered_R s cI0 cR H Hp)
    as (_ & _ & _ & HR).
  split; [|exact HR]. destruct HR as (b' & e' & t & ->).
  inversion H as [s0 b0 eI eR t0 Ht Hh Ha | | s0 kind r eI eR t0 Ht Hh Ha]; subst;
    rewrite Ht in Hb; [|discriminate].
  injection Hb as ->. destruct (endless_run n b eI t (Hpass n)) as (b1 & e1 & H1). simpl. eauto.
Qed.

Lemma idle_input : forall cI cR, idle cI cR -> idle (step I cI) cR.
Proof. intros cI cR (s & cI0 & n & He & H & ->). now exists s, cI0, (S n). Qed.

Lemma idle_result : forall cI cR, idle cI cR -> idle cI (step R cR).
Proof.
  intros cI cR (s & cI0 & n & He & H & ->).
  destruct (endless_passes s He) as (Hp & b & Hb & Hpass).
  destruct (passes_moves I R entry first G wf_R acc ordered_R s cI0 cR H Hp)
    as (s' & Hw & H' & _).
  exists s', cI0, n. split; [|auto].
  assert (Hr := ranked _ _ _ Hw). simpl in Hr. now rewrite He in Hr.
Qed.

Definition is_done (c : config) : Prop := exists kind v t, c = Done kind v t.

Definition alike (cI cR : config) : Prop :=
  (exists s, related s cI cR) \/ (cI = cR /\ is_done cR) \/ idle cI cR.

Lemma alike_trace : forall cI cR, alike cI cR -> trace_of cI = trace_of cR.
Proof.
  intros cI cR [(s & H) | [(-> & _) | H]]; [now destruct H|reflexivity|].
  destruct (idle_run cI cR H) as ((b & e & ->) & _). reflexivity.
Qed.

Lemma done_step : forall f c, is_done c -> step f c = c.
Proof. intros f c (kind & v & t & ->). reflexivity. Qed.

(** Where one function makes a step, the other follows. *)
Lemma input_steps : forall n s, rank s < n -> forall cI m cR0,
  in_order_at I cI -> related s cI (run R m cR0) ->
  exists m', alike (step I cI) (run R m' cR0).
Proof.
  induction n as [|n IH]; intros s Hn cI m cR0 Hord Hrel; [lia|].
  destruct (endless s) eqn:He.
  { exists m. right. right. exists s, cI, 1. auto. }
  destruct (moved s _ _ Hord Hrel)
    as [s' Hw H | s' b e t _ Hw H | s' b e t b' e' t' _ _ H | kind v t HI HR].
  - assert (Hr := ranked _ _ _ Hw). simpl in Hr. rewrite He in Hr.
    exact (IH s' ltac:(lia) cI (S m) cR0 Hord H).
  - exists m. left. now exists s'.
  - exists (S m). left. now exists s'.
  - exists (S m). right. left. simpl. rewrite HI, HR. split; [reflexivity|]. now exists kind, v, t.
Qed.

Lemma result_steps : forall e n s, rank s < n -> forall cR m,
  related s (run I m (Run entry e [])) cR ->
  exists m', alike (run I m' (Run entry e [])) (step R cR).
Proof.
  intros e. induction n as [|n IH]; intros s Hn cR m Hrel; [lia|].
  destruct (moved s _ _ (runs_in_order I entry ssa_I wf_I m e) Hrel)
    as [s' Hw H | s' b e' t _ Hw H | s' b e' t b' e2 t' _ _ H | kind v t HI HR].
  - exists m. left. now exists s'.
  - assert (Hr := ranked _ _ _ Hw). simpl in Hr. exact (IH s' ltac:(lia) cR (S m) H).
  - exists (S m). left. now exists s'.
  - exists (S m). right. left. simpl. rewrite HI, HR. split; [reflexivity|]. now exists kind, v, t.
Qed.

Lemma input_runs : forall e n, exists m,
  alike (run I n (Run entry e [])) (run R m (Run first e [])).
Proof.
  intros e. induction n as [|n (m & [(s & H) | [(H & Hd) | H]])].
  - exists 0. left. exists (start G). eapply related_first; exact acc.
  - exact (input_steps (S (rank s)) s ltac:(lia) _ m _ (runs_in_order I entry ssa_I wf_I n e) H).
  - exists m. right. left. simpl. rewrite H. split; [now apply done_step|exact Hd].
  - exists m. right. right. now apply idle_input.
Qed.

Lemma result_runs : forall e m, exists n,
  alike (run I n (Run entry e [])) (run R m (Run first e [])).
Proof.
  intros e. induction m as [|m (n & [(s & H) | [(H & Hd) | H]])].
  - exists 0. left. exists (start G). eapply related_first; exact acc.
  - exact (result_steps e (S (rank s)) s ltac:(lia) _ n H).
  - exists n. right. left. simpl. rewrite done_step by exact Hd. auto.
  - exists n. right. right. now apply idle_result.
Qed.

(** The end of one is followed by the end of the other. *)
Lemma input_done : forall n s, rank s < n -> forall m cR0 kind v t,
  related s (Done kind v t) (run R m cR0) -> exists m', run R m' cR0 = Done kind v t.
Proof.
  induction n as [|n IH]; intros s Hn m cR0 kind v t Hrel; [lia|].
  destruct (endless s) eqn:He.
  { destruct (idle_run (Done kind v t) (run R m cR0)) as ((b & e & H) & _); [|discriminate].
    exists s, (Done kind v t), 0. auto. }
  destruct (moved s (Done kind v t) _ Logic.I Hrel)
    as [s' Hw H | s' b e t' H _ _ | s' b e t1 b' e' t' H _ _ | k v' t' HI HR]; try discriminate.
  - assert (Hr := ranked _ _ _ Hw). simpl in Hr. rewrite He in Hr.
    exact (IH s' ltac:(lia) (S m) cR0 _ _ _ H).
  - exists (S m). simpl. now rewrite HR, <- HI.
Qed.

Lemma result_done : forall e n s, rank s < n -> forall m kind v t,
  related s (run I m (Run entry e [])) (Done kind v t) ->
  exists m', run I m' (Run entry e []) = Done kind v t.
Proof.
  intros e. induction n as [|n IH]; intros s Hn m kind v t Hrel; [lia|].
  destruct (endless s) eqn:He.
  { destruct (idle_run (run I m (Run entry e [])) (Done kind v t)) as (_ & b & e' & t' & H);
      [|discriminate]. exists s, (run I m (Run entry e [])), 0. auto. }
  destruct (moved s _ _ (runs_in_order I entry ssa_I wf_I m e) Hrel)
    as [s' Hw H | s' b e' t' _ Hw H | s' b e' t1 b' e2 t' _ H _ | k v' t' HI HR].
  - assert (Hr := ranked _ _ _ Hw). simpl in Hr. rewrite He in Hr.
    exact (IH s' ltac:(lia) m _ _ _ H).
  - assert (Hr := ranked _ _ _ Hw). simpl in Hr. exact (IH s' ltac:(lia) (S m) _ _ _ H).
  - discriminate.
  - exists (S m). simpl. now rewrite HI, <- HR.
Qed.

(** If both start with the same values of what is not defined: *)
Lemma same_traces : forall e,
  let input n := run I n (Run entry e []) in
  let result m := run R m (Run first e []) in
  (forall n, exists m, trace_of (input n) = trace_of (result m))
  /\ (forall m, exists n, trace_of (input n) = trace_of (result m))
  /\ (forall kind v t,
       (exists n, input n = Done kind v t) <-> (exists m, result m = Done kind v t)).
Proof.
  intros e input result. split; [|split].
  - intros n. destruct (input_runs e n) as (m & H). exists m. now apply alike_trace.
  - intros m. destruct (result_runs e m) as (n & H). exists n. now apply alike_trace.
  - intros kind v t. split.
    + intros (n & Hn). destruct (input_runs e n) as (m & H). fold (input n) in H. rewrite Hn in H.
      destruct H as [(s & H) | [(H & _) | H]].
      * exact (input_done (S (rank s)) s ltac:(lia) m _ kind v t H).
      * exists m. now symmetry.
      * destruct (idle_run _ _ H) as ((b & e' & H') & _). discriminate.
    + intros (m & Hm). destruct (result_runs e m) as (n & H). fold (result m) in H. rewrite Hm in H.
      destruct H as [(s & H) | [(H & _) | H]].
      * exact (result_done e (S (rank s)) s ltac:(lia) n kind v t H).
      * now exists n.
      * destruct (idle_run _ _ H) as (_ & b & e' & t' & H'). discriminate.
Qed.

End Traces.

(** An accepted result has the traces of its input. Each has the events of the other after some
    number of blocks, whether it ends or not, and it ends if and only if the other does, in the same
    way and with the same value. What is not defined yet may have any value in each ([eI], [eR]). *)
Theorem accepted_has_the_traces {M : Model} : forall I R entry first G,
  well_formed I -> well_formed R -> ssa I entry ->
  accepted I R entry first G -> (forall s, in_order R (at_ G s)) ->
  forall eI eR,
  let input n := run I n (Run entry eI []) in
  let result m := run R m (Run first eR []) in
  (forall n, exists m, trace_of (input n) = trace_of (result m))
  /\ (forall m, exists n, trace_of (input n) = trace_of (result m))
  /\ (forall kind v t,
       (exists n, input n = Done kind v t) <-> (exists m, result m = Done kind v t)).
Proof.
  intros I R entry first G wf_I wf_R ssa_I acc ordered_R eI eR input result.
  destruct (progress _ _ _ _ _ acc) as (rank & endless & Hendless & Hrank).
  destruct (same_traces I R entry first G wf_I wf_R ssa_I acc ordered_R rank endless Hendless Hrank
    eR) as (HI & HR & Hdone).
  assert (Hs : forall n, similar I entry (input n) (run I n (Run entry eR [])))
    by (intros n; exact (undefined_is_not_read I entry ssa_I n eI eR)).
  assert (Htrace : forall n, trace_of (input n) = trace_of (run I n (Run entry eR [])))
    by (intros n; now destruct (Hs n)).
  split; [|split].
  - intros n. destruct (HI n) as (m & H). exists m. now rewrite Htrace.
  - intros m. destruct (HR m) as (n & H). exists n. now rewrite Htrace.
  - intros kind v t. unfold result. rewrite <- (Hdone kind v t).
    split; intros (n & H); exists n; specialize (Hs n); rewrite H in Hs; now inversion Hs.
Qed.

Print Assumptions accepted_has_the_traces.
