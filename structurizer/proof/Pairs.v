(** What claims mean, and that both functions run the same instructions in a pair. *)

From Coq Require Import List Arith NArith Bool.
Import ListNotations.
From Trellis Require Import Machine Ssa Check.

Section Pairs.
Context {M : Model}.
Variables I R : func.
Variables entry first : block.
Variable G : graph.
Hypothesis wf_I : well_formed I.
Hypothesis wf_R : well_formed R.
Hypothesis acc : accepted I R entry first G.

Implicit Types s : state G.

(** The denotation that the input has returned, if it has ended. *)
Definition sem (c : claim) (v : value) (eI eR : env) (returned : option denotation) : Prop :=
  match c with
  | CInput e => eval eI e = eval eR v
  | CIs b => truth (eval eR v) = b
  | CTest o bound b => compare o (number (eval eR v)) bound = b
  | CCase switch next =>
      exists x d cases, term R switch = TSwitch x d cases
                        /\ select d cases (number (eval eR v)) = next
  | CReturned => returned = Some (eval eR v)
  end.

Definition holds s (eI eR : env) (returned : option denotation) : Prop :=
  forall c v, claimed G s c v -> sem c v eI eR returned.

(** What is defined in one pair only is the same in both functions since it was defined last. *)
Definition agree s (eI eR : env) : Prop :=
  forall e, once I G s e -> eval eI e = eval eR e.

Lemma sem_ext : forall c v v' eI eR eR' r,
  eval eR v = eval eR' v' -> sem c v eI eR r -> sem c v' eI eR' r.
Proof. intros c v v' eI eR eR' r He H. destruct c; simpl in *; rewrite <- He; exact H. Qed.

Lemma decides_sound : forall c v eI eR r, decides R c v -> sem c v eI eR r.
Proof.
  intros c v eI eR r H. destruct c; simpl in H; try contradiction.
  - destruct v; try contradiction. subst. simpl. apply truth_of_bool.
  - destruct v; try contradiction. simpl. now rewrite number_of_number.
  - destruct v; try contradiction. simpl. now rewrite number_of_number.
Qed.

Lemma equal_sound : forall s e v eI eR r,
  holds s eI eR r -> agree s eI eR -> equal I G s e v -> eval eI e = eval eR v.
Proof.
  intros s e v eI eR r Hh Ha [(Hc & ->) | [(Ho & ->) | H]].
  - destruct v; simpl in *; try contradiction; reflexivity.
  - now apply Ha.
  - exact (Hh _ _ H).
Qed.

Lemma itself_client : forall d sd i, itself G d -> pair G d = Some sd -> In i (insts I d) ->
  In (i, i) (matched G sd) /\ In i (insts R d) /\ is_client R i = true.
Proof.
  intros d sd i Hd Hp Hi.
  destruct (itself_pair _ _ _ _ _ acc d Hd) as (_ & Hinsts & s & Hp' & _ & _ & Hm).
  rewrite Hp in Hp'. injection Hp' as <-. split.
  - rewrite Hm. apply in_map_iff. now exists i.
  - rewrite Hinsts in Hi. now apply filter_In in Hi.
Qed.

(** Both functions run the instructions of a pair. *)

Lemma in_map_fst : forall (m : list (inst * inst)) i, In i (map fst m) -> exists i', In (i, i') m.
Proof.
  intros m i H. apply in_map_iff in H as ([i0 i'] & <- & H). now exists i'.
Qed.

Lemma nodup_fst : forall (m : list (inst * inst)) i a b,
  NoDup (map fst m) -> In (i, a) m -> In (i, b) m -> a = b.
Proof.
  induction m as [|[j c] m IH]; intros i a b Hnd Ha Hb; [contradiction|].
  simpl in Hnd. inversion Hnd as [|? ? Hj Hnd']; subst.
  assert (Hno : forall x, In (j, x) m -> False).
  { intros x Hx. apply Hj. now apply (in_map fst) in Hx. }
  destruct Ha as [Ha|Ha], Hb as [Hb|Hb]; [congruence| | |exact (IH i a b Hnd' Ha Hb)];
    exfalso; [injection Ha as -> ->|injection Hb as -> ->]; eapply Hno; eassumption.
Qed.

Section Pair.
Variables (s : state G) (b : block) (eI0 eR0 : env).
Hypothesis ordered : in_order I b.
Hypothesis same : same_instructions I R G s b.
Hypothesis equal0 : forall e v, equal I G s e v -> eval eI0 e = eval eR0 v.
Hypothesis fresh : forall e v,
  equal I G s e v -> ~ result_of I b e -> ~ result_of R (at_ G s) v.

Let a := at_ G s.

Definition in_step (done : list (inst * inst)) (eI eR : env) : Prop :=
  (forall i i' k, In (i, i') done -> eval eI (VRes i k) = eval eR (VRes i' k))
  /\ (forall e, ~ result_of I b e -> eval eI e = eval eI0 e)
  /\ (forall v, ~ result_of R a v -> eval eR v = eval eR0 v).

Lemma define_in_step : forall done i i' eI eR dI dR,
  in_step done eI eR ->
  In i (insts I b) -> In i' (insts R a) ->
  ~ In i (map fst done) -> ~ In i' (map snd done) ->
  (forall k, dI k = dR k) ->
  in_step (done ++ [(i, i')]) (define eI i dI) (define eR i' dR).
Proof.
  intros done i i' eI eR dI dR (H1 & H2 & H3) HiI HiR Hni Hni' Hd.
  split; [|split].
  - intros j j' k Hj. apply in_app_or in Hj as [Hj | [[= <- <-] | []]].
    + rewrite !eval_define_other; [now apply H1| |]; intros k' [= -> ->].
      * apply Hni'. now apply (in_map snd) in Hj.
      * apply Hni. now apply (in_map fst) in Hj.
    + now rewrite !eval_define_same.
  - intros e He. rewrite eval_define_other; [now apply H2|]. intros k ->. now apply He.
  - intros v Hv. rewrite eval_define_other; [now apply H3|]. intros k ->. now apply Hv.
Qed.

Lemma inserted_in_step : forall done i' eI eR dR,
  in_step done eI eR -> In i' (insts R a) -> ~ In i' (map snd done) ->
  in_step done eI (define eR i' dR).
Proof.
  intros done i' eI eR dR (H1 & H2 & H3) HiR Hni'. split; [|split; [exact H2|]].
  - intros j j' k Hj. rewrite (eval_define_other eR); [now apply H1|]. intros k' [= -> ->].
    apply Hni'. now apply (in_map snd) in Hj.
  - intros v Hv. rewrite eval_define_other; [now apply H3|]. intros k ->. now apply Hv.
Qed.

Lemma operands : forall before_ i i' after eI eR,
  matched G s = before_ ++ (i, i') :: after ->
  in_step before_ eI eR ->
  map (eval eI) (uses I i) = map (eval eR) (uses R i').
Proof.
  intros before_ i i' after eI eR Hm (H1 & H2 & H3).
  destruct same as (Hfst & _ & Hall).
  assert (Huses : Forall2 (equal_at_end I G s b) (uses I i) (uses R i')).
  { rewrite Forall_forall in Hall. apply (Hall (i, i')).
    rewrite Hm. apply in_or_app. right; now left. }
  assert (Hown : forall j k,
    In (VRes j k) (uses I i) -> In j (insts I b) -> In j (map fst before_)).
  { intros j k Hu Hj. eapply (ordered (map fst before_) i (map fst after)); eauto.
    rewrite <- Hfst, Hm, map_app. reflexivity. }
  assert (Hnd : NoDup (map fst (matched G s))) by (rewrite Hfst; apply wf_I).
  induction Huses as [|e v es vs Hev Hrest IH]; [reflexivity|].
  simpl. f_equal.
  - destruct Hev as [(j & j' & k & Hj & -> & ->) | (Hne & He)].
    + assert (HjI : In j (insts I b)) by (rewrite <- Hfst; now apply (in_map fst) in Hj).
      specialize (Hown j k (or_introl eq_refl) HjI).
      apply in_map_fst in Hown as (j'' & Hj'').
      assert (j'' = j') as ->.
      { apply (nodup_fst (matched G s) j); auto. rewrite Hm. apply in_or_app; auto. }
      now apply H1.
    + rewrite (H2 e Hne), (H3 v (fresh e v He Hne)). now apply equal0.
  - apply IH. intros j k Hj. apply (Hown j k). now right.
Qed.

Lemma exec_in_step : forall isR preR done todo eI eR t,
  insts R a = preR ++ isR ->
  matched G s = done ++ todo ->
  map snd done = filter (is_client R) preR ->
  map snd todo = filter (is_client R) isR ->
  in_step done eI eR ->
  let (eI', tI) := exec I (map fst todo) (eI, t) in
  let (eR', tR) := exec R isR (eR, t) in
  tI = tR /\ in_step (matched G s) eI' eR'.
Proof.
  induction isR as [|i' isR IH]; intros preR done todo eI eR t HR Hm Hdone Htodo Hstep.
  - simpl in Htodo. apply map_eq_nil in Htodo. subst todo. simpl.
    rewrite Hm, app_nil_r. auto.
  - assert (HinR : In i' (insts R a)) by (rewrite HR; apply in_or_app; right; now left).
    assert (Hnew : ~ In i' (map snd done)).
    { rewrite Hdone. intros Hin. apply filter_In in Hin as (Hin & _).
      assert (Hnd := proj1 wf_R a). rewrite HR in Hnd. apply NoDup_remove_2 in Hnd.
      apply Hnd, in_or_app. auto. }
    assert (HR' : insts R a = (preR ++ [i']) ++ isR) by (rewrite <- app_assoc; exact HR).
    assert (Hf : filter (is_client R) (preR ++ [i'])
                 = filter (is_client R) preR ++ filter (is_client R) [i']) by apply filter_app.
    change (exec R (i' :: isR) (eR, t)) with (exec R isR (exec1 R (eR, t) i')).
    simpl filter in Htodo, Hf. unfold is_client at 1 in Htodo.
    unfold is_client at 3 in Hf.
    destruct (kind_of R i') as [p | o bound |] eqn:Hkind.
    + destruct todo as [|[i i''] todo]; [discriminate|]. simpl in Htodo.
      injection Htodo as -> Htodo.
      change (exec I (map fst ((i, i') :: todo)) (eI, t))
        with (exec I (map fst todo) (exec1 I (eI, t) i)).
      destruct same as (Hfst & _ & Hall).
      assert (HkI : kind_of I i = Client p).
      { rewrite Forall_forall in Hall. rewrite <- Hkind. apply (Hall (i, i')).
        rewrite Hm. apply in_or_app. right; now left. }
      assert (Hargs := operands done i i' todo eI eR Hm Hstep).
      unfold exec1. rewrite Hkind, HkI, Hargs.
      apply (IH (preR ++ [i']) (done ++ [(i, i')])).
      * exact HR'.
      * now rewrite <- app_assoc.
      * rewrite map_app, Hdone, Hf. reflexivity.
      * exact Htodo.
      * assert (HsplitI : insts I b = map fst done ++ i :: map fst todo).
        { rewrite <- Hfst, Hm, map_app. reflexivity. }
        apply define_in_step; auto.
        -- rewrite HsplitI. apply in_or_app. right; now left.
        -- intros Hin. assert (Hnd := proj1 wf_I b). rewrite HsplitI in Hnd.
           apply NoDup_remove_2 in Hnd. apply Hnd, in_or_app. auto.
    + unfold exec1 at 1. rewrite Hkind.
      apply (IH (preR ++ [i']) done todo); auto.
      * now rewrite Hdone, Hf, app_nil_r.
      * now apply inserted_in_step.
    + unfold exec1 at 1. rewrite Hkind.
      apply (IH (preR ++ [i']) done todo); auto.
      * now rewrite Hdone, Hf, app_nil_r.
      * now apply inserted_in_step.
Qed.

Lemma exec_pair : forall t,
  let (eI, tI) := exec I (insts I b) (eI0, t) in
  let (eR, tR) := exec R (insts R a) (eR0, t) in
  tI = tR /\ in_step (matched G s) eI eR.
Proof.
  intros t. destruct same as (Hfst & Hsnd & _). rewrite <- Hfst.
  apply (exec_in_step (insts R a) [] []); auto.
  split; [|split]; auto. intros i i' k [].
Qed.

Lemma equal_at_end_sound : forall eI eR e v,
  in_step (matched G s) eI eR -> equal_at_end I G s b e v -> eval eI e = eval eR v.
Proof.
  intros eI eR e v (H1 & H2 & H3) [(i & i' & k & Hin & -> & ->) | (Hne & He)].
  - now apply H1.
  - rewrite (H2 e Hne), (H3 v (fresh e v He Hne)). now apply equal0.
Qed.

End Pair.

End Pairs.
