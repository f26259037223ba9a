(** The SSA form, and that a function in it never reads a value that is not defined. *)

From Coq Require Import List Arith NArith Bool.
Import ListNotations.
From Trellis Require Import Machine.

Section Ssa.
Context {M : Model}.
Variable f : func.
Variable entry : block.

Definition successor (b b' : block) : Prop :=
  match term f b with
  | TBranch next => b' = next
  | TCond _ next next' => b' = next \/ b' = next'
  | TSwitch _ default cases => b' = default \/ exists literal, In (literal, b') cases
  | TExit _ _ => False
  end.

(** A path from the entry to a block, after its phis: the values that it defines. *)
Inductive path : (value -> Prop) -> block -> Prop :=
| path_entry : path is_constant entry
| path_edge defined b b' :
    path defined b -> successor b b' ->
    path (fun v => defined v \/ result_of f b v
                   \/ exists id, v = VPhi b' id /\ operand f b' id b <> None) b'.

(** Each path to a use defines the value: its definition dominates the use. *)
Record ssa : Prop := {
  ssa_uses : forall defined b, path defined b ->
    forall before i after v, insts f b = before ++ i :: after -> In v (uses f i) ->
      defined v \/ exists j k, v = VRes j k /\ In j before;
  ssa_term : forall defined b, path defined b ->
    forall v, match term f b with
              | TBranch _ => False
              | TCond u _ _ | TSwitch u _ _ => v = u
              | TExit _ u => Some v = u
              end -> defined v \/ result_of f b v;
  ssa_phis : forall defined b b', path defined b -> successor b b' ->
    forall id v, operand f b' id b = Some v -> defined v \/ result_of f b v
}.

Hypothesis in_ssa : ssa.

Definition same_on (defined : value -> Prop) (e e' : env) : Prop :=
  forall v, defined v -> eval e v = eval e' v.

Inductive similar : config -> config -> Prop :=
| similar_run defined b e e' t :
    path defined b -> same_on defined e e' -> similar (Run b e t) (Run b e' t)
| similar_done kind v t : similar (Done kind v t) (Done kind v t).

Lemma exec_similar : forall defined b, path defined b ->
  forall after before e e' t,
  insts f b = before ++ after ->
  same_on (fun v => defined v \/ exists j k, v = VRes j k /\ In j before) e e' ->
  let (e1, t1) := exec f after (e, t) in
  let (e1', t1') := exec f after (e', t) in
  t1 = t1' /\ same_on (fun v => defined v \/ result_of f b v) e1 e1'.
Proof.
  intros defined b Hp. induction after as [|i after IH]; intros before_ e e' t Hl Hs.
  - split; [reflexivity|]. intros v Hv. apply Hs. rewrite app_nil_r in Hl.
    destruct Hv as [Hv|Hv]; [now left|]. destruct v; try contradiction.
    right. exists i, index. now rewrite <- Hl.
  - change (exec f (i :: after) (e, t)) with (exec f after (exec1 f (e, t) i)).
    change (exec f (i :: after) (e', t)) with (exec f after (exec1 f (e', t) i)).
    assert (Hargs : map (eval e) (uses f i) = map (eval e') (uses f i)).
    { apply map_ext_in. intros v Hv. apply Hs. exact (ssa_uses in_ssa _ _ Hp _ _ _ _ Hl Hv). }
    assert (Hnext : forall d, same_on
      (fun v => defined v \/ exists j k, v = VRes j k /\ In j (before_ ++ [i]))
      (define e i d) (define e' i d)).
    { intros d v Hv. destruct v as [id|n|is_true|b' id|j k]; simpl; try reflexivity.
      - apply (Hs (VPhi b' id)). destruct Hv as [Hv|(j & k & Hv & _)]; [now left|discriminate].
      - destruct (Nat.eqb_spec j i) as [->|Hne]; [reflexivity|].
        apply (Hs (VRes j k)). destruct Hv as [Hv|(j' & k' & [= <- <-] & Hj)]; [now left|].
        right. exists j, k. split; [reflexivity|].
        apply in_app_or in Hj as [Hj|[->|[]]]; [exact Hj|now elim Hne]. }
    unfold exec1. rewrite Hargs.
    destruct (kind_of f i); apply (IH (before_ ++ [i])); auto; now rewrite <- app_assoc.
Qed.

Lemma lookup_case : forall cases n b, lookup cases n = Some b -> exists l, In (l, b) cases.
Proof.
  induction cases as [|[l b'] cases IH]; intros n b H; simpl in *; [discriminate|].
  destruct (N.eqb l n); [injection H as ->; eauto|]. destruct (IH n b H) as (l' & Hl); eauto.
Qed.

Lemma leave_successor : forall b e b', leave (term f b) e = Goto b' -> successor b b'.
Proof.
  intros b e b' H. unfold successor. destruct (term f b); simpl in H; try discriminate;
    injection H as <-; auto.
  - destruct (truth _); auto.
  - unfold select. destruct (lookup cases (number (eval e v))) eqn:Hl; [right|now left].
    exact (lookup_case _ _ _ Hl).
Qed.

Lemma step_similar : forall c c', similar c c' -> similar (step f c) (step f c').
Proof.
  intros c c' [defined b e e' t Hp Hs|kind v t]; [|constructor].
  assert (Hexec := exec_similar defined b Hp (insts f b) [] e e' t eq_refl).
  simpl. destruct (exec f (insts f b) (e, t)) as [e1 t1].
  destruct (exec f (insts f b) (e', t)) as [e1' t1'].
  destruct Hexec as (<- & Hs1).
  { intros v [Hv|(j & k & _ & [])]. now apply Hs. }
  assert (Hterm := ssa_term in_ssa _ _ Hp).
  assert (Hleave : leave (term f b) e1 = leave (term f b) e1').
  { destruct (term f b) as [next|u x y|u d cases|kind u]; simpl; auto.
    - now rewrite (Hs1 u (Hterm u eq_refl)).
    - now rewrite (Hs1 u (Hterm u eq_refl)).
    - destruct u as [u|]; simpl; [|reflexivity]. now rewrite (Hs1 u (Hterm u eq_refl)). }
  rewrite <- Hleave. destruct (leave (term f b) e1) as [b'|kind v] eqn:Hl; [|constructor].
  apply leave_successor in Hl.
  eapply similar_run; [exact (path_edge _ _ _ Hp Hl)|].
  intros v Hv. rewrite !eval_enter. apply Hs1.
  destruct v as [id|n|is_true|d id|i k]; simpl before;
    try (destruct Hv as [Hv|[Hv|(? & Hv & _)]]; [now left|now right|discriminate Hv]).
  destruct (Nat.eqb_spec d b') as [->|Hne].
  - destruct (operand f b' id b) as [u|] eqn:Hop.
    + exact (ssa_phis in_ssa _ _ _ Hp Hl _ _ Hop).
    + destruct Hv as [Hv|[Hv|(id' & Hv & Hno)]]; [now left|contradiction|]. injection Hv as <-.
      now elim Hno.
  - destruct Hv as [Hv|[Hv|(id' & Hv & _)]]; [now left|contradiction|]. injection Hv as -> _.
    now elim Hne.
Qed.

Theorem undefined_is_not_read : forall n e e',
  similar (run f n (Run entry e [])) (run f n (Run entry e' [])).
Proof.
  induction n as [|n IH]; intros e e'; simpl.
  - eapply similar_run; [constructor|]. intros v Hv. destruct v; try contradiction; reflexivity.
  - apply step_similar, IH.
Qed.

(** Some path to a block does not pass it before. *)
Lemma first_path : well_formed f -> forall defined b, path defined b -> forall x,
  (exists defined', path defined' x /\ forall i k, In i (insts f x) -> ~ defined' (VRes i k))
  \/ (b <> x /\ forall i k, In i (insts f x) -> ~ defined (VRes i k)).
Proof.
  intros wf. induction 1 as [|defined b b' Hp IH Hs]; intros x.
  - destruct (Nat.eq_dec entry x) as [<-|Hne]; [left|right].
    + exists is_constant. split; [constructor|]. intros i k _ [].
    + split; [exact Hne|]. intros i k _ [].
  - destruct (IH x) as [H|(Hne & H)]; [now left|].
    assert (Hno : forall i k, In i (insts f x) -> ~ (defined (VRes i k) \/ result_of f b (VRes i k)
              \/ exists id, VRes i k = VPhi b' id /\ operand f b' id b <> None)).
    { intros i k Hi [Hd|[Hd|(id & Hd & _)]]; [exact (H i k Hi Hd)| |discriminate].
      apply Hne. exact (proj2 wf _ _ _ Hd Hi). }
    destruct (Nat.eq_dec b' x) as [->|Hne']; [left|now right].
    eexists. split; [exact (path_edge _ _ _ Hp Hs)|exact Hno].
Qed.

Definition in_order_at (c : config) : Prop :=
  match c with Run b _ _ => in_order f b | Done _ _ _ => True end.

Lemma runs_in_order : well_formed f -> forall n e, in_order_at (run f n (Run entry e [])).
Proof.
  intros wf n e. assert (H := undefined_is_not_read n e e).
  destruct (run f n (Run entry e [])) as [b e1 t|]; [|exact I].
  inversion H as [defined b' e2 e3 t' Hp|]; subst.
  intros before_ i after j k Hl Hu Hj.
  destruct (first_path wf _ _ Hp b) as [(defined' & Hp' & Hno)|(Hne & _)]; [|now elim Hne].
  destruct (ssa_uses in_ssa _ _ Hp' _ _ _ _ Hl Hu) as [Hd|(j' & k' & Hv & Hin)].
  - now elim (Hno j k Hj).
  - injection Hv as -> _. exact Hin.
Qed.

End Ssa.
