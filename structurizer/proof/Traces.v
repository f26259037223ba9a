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

Local Notation related := (related I R G).
Local Notation tail := (tail I).

Lemma related_trace : forall s cI cR, related s cI cR -> trace_of cI = trace_of cR.
Proof.
  intros s cI cR H. destruct H as [s eI eR t r cI Hr Hh Ha HcI].
  destruct (to G s); [now subst|]. now destruct HcI as (_ & ->).
Qed.

Lemma tail_input : forall cI cR, tail cI cR -> tail (step I cI) cR.
Proof. intros cI cR H. destruct H as [kind v t|c kind v t Ht H]; [constructor|exact H]. Qed.

Lemma tail_arrives : forall cI cR, tail cI cR -> exists n, run I n cI = cR.
Proof.
  induction 1 as [kind v t|c kind v t _ _ (n & H)]; [now exists 0|].
  exists (S n). now rewrite run_shift.
Qed.

Lemma run_done : forall f n kind v t, run f n (Done kind v t) = Done kind v t.
Proof. induction n; intros; simpl; [|rewrite IHn]; reflexivity. Qed.

Lemma tail_trace : forall c d, tail c d -> trace_of c = trace_of d.
Proof. now destruct 1. Qed.

Definition alike (cI cR : config) : Prop :=
  (exists s, related s cI cR) \/ ((exists kind v t, cR = Done kind v t) /\ tail cI cR).

Lemma alike_trace : forall cI cR, alike cI cR -> trace_of cI = trace_of cR.
Proof.
  intros cI cR [(s & H) | (_ & H)]; [exact (related_trace s cI cR H)|now apply tail_trace].
Qed.

(** Where one function makes a step, the other follows. *)
Lemma input_steps : forall rank : state G -> nat,
  (forall s m s', way G s m s' ->
    match m with Both _ => True | Result | Input => rank s' < rank s end) ->
  forall n s, rank s < n -> forall cI m cR0, in_order_at I cI -> related s cI (run R m cR0) ->
  exists m', alike (step I cI) (run R m' cR0).
Proof.
  intros rank Hrank. induction n as [|n IH]; intros s Hn cI m cR0 Hord Hrel; [lia|].
  destruct (related_moves I R entry first G wf_I wf_R acc s _ _ Hord Hrel)
    as [s' Hw H | s' Hw H | s' b e' t _ H | kind v t HR H | kind v t HR H].
  - specialize (Hrank _ _ _ Hw). simpl in Hrank. exact (IH s' ltac:(lia) cI (S m) cR0 Hord H).
  - exists m. left. now exists s'.
  - exists (S m). left. now exists s'.
  - exists (S m). right. split; [simpl; eauto|exact H].
  - exists (S m). right. split; [simpl; eauto|]. now apply tail_input.
Qed.

Lemma result_steps : forall rank : state G -> nat,
  (forall s m s', way G s m s' ->
    match m with Both _ => True | Result | Input => rank s' < rank s end) ->
  forall e n s, rank s < n -> forall cR m, related s (run I m (Run entry e [])) cR ->
  exists m', alike (run I m' (Run entry e [])) (step R cR).
Proof.
  intros rank Hrank e. induction n as [|n IH]; intros s Hn cR m Hrel; [lia|].
  assert (Hord := runs_in_order I entry ssa_I wf_I m e).
  destruct (related_moves I R entry first G wf_I wf_R acc s _ _ Hord Hrel)
    as [s' Hw H | s' Hw H | s' b e' t _ H | kind v t HR H | kind v t HR H].
  - exists m. left. now exists s'.
  - specialize (Hrank _ _ _ Hw). simpl in Hrank. exact (IH s' ltac:(lia) cR (S m) H).
  - exists (S m). left. now exists s'.
  - exists (S m). right. split; [eauto|exact H].
  - exists m. right. split; [eauto|exact H].
Qed.

Lemma input_runs : forall e n, exists m,
  alike (run I n (Run entry e [])) (run R m (Run first e [])).
Proof.
  intros e n. destruct (progress _ _ _ _ _ acc) as (rank & Hrank).
  induction n as [|n (m & [(s & H) | (Hd & H)])].
  - exists 0. left. exists (start G). eapply related_first; exact acc.
  - exact (input_steps rank Hrank (S (rank s)) s ltac:(lia) _ m _
      (runs_in_order I entry ssa_I wf_I n e) H).
  - exists m. right. split; [exact Hd|]. now apply tail_input.
Qed.

Lemma result_runs : forall e m, exists n,
  alike (run I n (Run entry e [])) (run R m (Run first e [])).
Proof.
  intros e m. destruct (progress _ _ _ _ _ acc) as (rank & Hrank).
  induction m as [|m (n & [(s & H) | (Hd & H)])].
  - exists 0. left. exists (start G). eapply related_first; exact acc.
  - exact (result_steps rank Hrank e (S (rank s)) s ltac:(lia) _ n H).
  - exists n. right. simpl. destruct Hd as (kind & v & t & Hd). rewrite Hd in *. simpl. eauto.
Qed.

Lemma run_run : forall f n m c, run f n (run f m c) = run f (n + m) c.
Proof. induction n; intros; simpl; [|rewrite IHn]; reflexivity. Qed.

(** An end of the input is followed by the end of the result. *)
Lemma input_done : forall rank : state G -> nat,
  (forall s m s', way G s m s' ->
    match m with Both _ => True | Result | Input => rank s' < rank s end) ->
  forall n s, rank s < n -> forall m cR0 kind v t, related s (Done kind v t) (run R m cR0) ->
  exists m', run R m' cR0 = Done kind v t.
Proof.
  intros rank Hrank. induction n as [|n IH]; intros s Hn m cR0 kind v t Hrel; [lia|].
  destruct (related_moves I R entry first G wf_I wf_R acc s (Done kind v t) _ Logic.I Hrel)
    as [s' Hw H | s' Hw H | s' b e t' HI _ | k v' t' HR H | k v' t' HR H].
  - specialize (Hrank _ _ _ Hw). simpl in Hrank. exact (IH s' ltac:(lia) (S m) cR0 _ _ _ H).
  - specialize (Hrank _ _ _ Hw). simpl in Hrank. exact (IH s' ltac:(lia) m cR0 _ _ _ H).
  - discriminate.
  - exists (S m). simpl. apply tail_arrives in H as (j & H). simpl in H.
    now rewrite run_done in H.
  - exists (S m). simpl. apply tail_arrives in H as (j & H). now rewrite run_done in H.
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
      destruct H as [(s & H) | (_ & H)].
      * destruct (progress _ _ _ _ _ acc) as (rank & Hrank).
        exact (input_done rank Hrank (S (rank s)) s ltac:(lia) m _ kind v t H).
      * exists m. apply tail_arrives in H as (j & H). now rewrite run_done in H.
    + intros (m & Hm). destruct (result_runs e m) as (n & H). fold (result m) in H. rewrite Hm in H.
      destruct H as [(s & H) | (_ & H)]; [inversion H|].
      apply tail_arrives in H as (j & H). exists (j + n). unfold input. now rewrite <- run_run.
Qed.

(** An accepted result has the traces of its input. Each has the events of the other after some
    number of blocks, whether it ends or not, and it ends if and only if the other does, in the same
    way and with the same value. What is not defined yet may have any value, in both ([eI], [eR]). *)
Theorem accepted_has_the_traces : forall eI eR,
  let input n := run I n (Run entry eI []) in
  let result m := run R m (Run first eR []) in
  (forall n, exists m, trace_of (input n) = trace_of (result m))
  /\ (forall m, exists n, trace_of (input n) = trace_of (result m))
  /\ (forall kind v t,
       (exists n, input n = Done kind v t) <-> (exists m, result m = Done kind v t)).
Proof.
  intros eI eR input result. destruct (same_traces eR) as (HI & HR & Hdone).
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

End Traces.

Print Assumptions accepted_has_the_traces.
