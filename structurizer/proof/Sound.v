(** Wherever an accepted result and its input are in a state, they move to another or end. *)

From Coq Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Trellis Require Import Machine Ssa Check.

Section Sound.
Context {M : Model}.
Variables I R : func.
Variables entry first : block.
Variable G : graph.
Hypothesis wf_I : well_formed I.
Hypothesis wf_R : well_formed R.
Hypothesis acc : accepted I R entry first G.

Implicit Types s : state G.

Inductive reachable : state G -> Prop :=
| reachable_start : reachable (start G)
| reachable_way s m s' : reachable s -> way G s m s' -> reachable s'.

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

(** No claim is about a result of an instruction that the structurizer inserted. *)
Lemma equal_at_end_client : forall s b e i k,
  equal_at_end I R G s b e (VRes i k) ->
  is_client R i = true \/ claimed G s (CInput e) (VRes i k).
Proof.
  intros s b e i k [(i0 & i' & k' & Hin & _ & [= <- <-]) | (_ & _ & Heq)].
  - left. exact (all_matched _ _ _ _ _ acc _ _ _ Hin).
  - destruct Heq as [(Hc & ->) | [(Ho & ->) | Hc]]; [contradiction Hc | | now right].
    left. destruct Ho as (d & sd & Hd & Hp & Hi).
    now apply (itself_client d sd i Hd Hp Hi).
Qed.

Lemma equal_client : forall s e i k,
  equal I G s e (VRes i k) -> is_client R i = true \/ claimed G s (CInput e) (VRes i k).
Proof.
  intros s e i k [(Hc & ->) | [(Ho & ->) | Hc]]; [contradiction Hc | | now right].
  left. destruct Ho as (d & sd & Hd & Hp & Hi). now apply (itself_client d sd i Hd Hp Hi).
Qed.

Lemma claims_client : forall s, reachable s -> forall c i k,
  claimed G s c (VRes i k) -> is_client R i = true.
Proof.
  induction 1 as [|s m s' Hr IH Hw]; intros c i k Hc.
  - destruct (start_claims _ _ _ _ _ acc _ _ Hc) as [[] _].
  - assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hc).
    assert (Hend : forall b e, equal_at_end I R G s b e (VRes i k) -> is_client R i = true).
    { intros b e H. apply equal_at_end_client in H as [H|H]; [exact H|]. exact (IH _ _ _ H). }
    assert (Hpass : forall c, in_passing I R G s c (VRes i k) -> is_client R i = true).
    { intros c' [H | H]; [now destruct c'|]. destruct c'; try (exact (IH _ _ _ H)).
      apply equal_client in H as [H|H]; [exact H|]. exact (IH _ _ _ H). }
    destruct m as [cond| |]; simpl in Hf.
    + destruct Hf as (b & _ & [Hd | H]); [now destruct (claim_before I b (to G s') c)|].
      destruct (claim_before I b (to G s') c); destruct cond; simpl in H;
        try contradiction; try (exact (Hend _ _ H)).
      * destruct H as (_ & e & _ & H). exact (Hend _ _ H).
      * destruct H as (_ & e & _ & H). exact (Hend _ _ H).
      * destruct H as (kind & e & _ & H). exact (Hend _ _ H).
    + exact (Hpass _ Hf).
    + destruct Hf as (b & _ & Hf). exact (Hpass _ Hf).
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

Lemma test_in_step : forall done i' eI eR dR,
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
  assert (Huses : Forall2 (equal_at_end I R G s b) (uses I i) (uses R i')).
  { rewrite Forall_forall in Hall. apply (Hall (i, i')).
    rewrite Hm. apply in_or_app. right; now left. }
  assert (Hown : forall j k,
    In (VRes j k) (uses I i) -> In j (insts I b) -> In j (map fst before_)).
  { intros j k Hu Hj. eapply (ordered (map fst before_) i (map fst after)); eauto.
    rewrite <- Hfst, Hm, map_app. reflexivity. }
  assert (Hnd : NoDup (map fst (matched G s))) by (rewrite Hfst; apply wf_I).
  induction Huses as [|e v es vs Hev Hrest IH]; [reflexivity|].
  simpl. f_equal.
  - destruct Hev as [(j & j' & k & Hj & -> & ->) | (Hne & Hnv & He)].
    + assert (HjI : In j (insts I b)) by (rewrite <- Hfst; now apply (in_map fst) in Hj).
      specialize (Hown j k (or_introl eq_refl) HjI).
      apply in_map_fst in Hown as (j'' & Hj'').
      assert (j'' = j') as ->.
      { apply (nodup_fst (matched G s) j); auto. rewrite Hm. apply in_or_app; auto. }
      now apply H1.
    + rewrite (H2 e Hne), (H3 v Hnv). now apply equal0.
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
    destruct (kind_of R i') as [p | o bound] eqn:Hkind.
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
      * now apply test_in_step.
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
  in_step (matched G s) eI eR -> equal_at_end I R G s b e v -> eval eI e = eval eR v.
Proof.
  intros eI eR e v (H1 & H2 & H3) [(i & i' & k & Hin & -> & ->) | (Hne & Hnv & He)].
  - now apply H1.
  - rewrite (H2 e Hne), (H3 v Hnv). now apply equal0.
Qed.

End Pair.

(** The condition of an edge that is taken. *)
Definition taken (b : block) (cond : condition) (eI : env) : Prop :=
  match cond with
  | Always => True
  | Is is_true => exists v b' b'', term I b = TCond v b' b'' /\ truth (eval eI v) = is_true
  | Case (Some n) => exists v d cases, term I b = TSwitch v d cases /\ number (eval eI v) = n
  | Case None => exists v d cases,
      term I b = TSwitch v d cases /\ lookup cases (number (eval eI v)) = None
  end.

Lemma lookup_in : forall cases n b, lookup cases n = Some b -> In (n, b) cases.
Proof.
  induction cases as [|[l b'] cases IH]; intros n b H; simpl in *; [discriminate|].
  destruct (N.eqb_spec l n) as [->|]; [injection H as ->; auto|]. right. now apply IH.
Qed.

Lemma leave_goto : forall b eI b', leave (term I b) eI = Goto b' ->
  exists cond, edge I b cond b' /\ taken b cond eI.
Proof.
  intros b eI b' H. destruct (term I b) eqn:Ht; simpl in H; try discriminate.
  - injection H as ->. exists Always. split; [now constructor|exact Logic.I].
  - injection H as <-. destruct (Nat.eq_dec then_ else_) as [->|Hne].
    + exists Always. split; [|exact Logic.I]. destruct (truth _); eapply edge_same; eauto.
    + exists (Is (truth (eval eI condition))). split; [|simpl; eauto 6].
      destruct (truth (eval eI condition)); [eapply edge_then|eapply edge_else]; eauto.
  - injection H as <-. unfold select. destruct (lookup cases (number (eval eI v))) eqn:Hl.
    + exists (Case (Some (number (eval eI v)))). split; [|simpl; eauto 6].
      eapply edge_case; eauto. now apply lookup_in.
    + exists (Case None). split; [|simpl; eauto 6]. eapply edge_default; eauto.
Qed.

(** What the input returns at the end of a block. *)
Definition returned_at (b : block) (eI : env) : option denotation :=
  match term I b with TExit _ v => option_map (eval eI) v | _ => None end.

Lemma at_end_sound : forall s b eI eR cond c v,
  (forall e v, equal_at_end I R G s b e v -> eval eI e = eval eR v) ->
  taken b cond eI ->
  at_end I R G s b cond c v -> sem c v eI eR (returned_at b eI).
Proof.
  intros s b eI eR cond c v Heq Htaken [Hd | H]; [now apply decides_sound|].
  destruct c as [e | is_true | o bound is_true | switch next |].
  - now apply Heq.
  - destruct cond; try contradiction. destruct H as (-> & e & He & H).
    simpl in Htaken. destruct Htaken as (x & b1 & b2 & Ht & Htruth).
    unfold read in He. rewrite Ht in He. injection He as ->.
    simpl. now rewrite <- (Heq _ _ H).
  - now destruct cond.
  - destruct cond as [| |literal]; try contradiction. destruct H as (Htakes & e & He & H).
    destruct Htakes as (x & d & cases & x' & d' & cases' & HtR & HtI & Hnext).
    unfold read in He. rewrite HtI in He. injection He as ->.
    simpl. exists x, d, cases. split; [exact HtR|]. rewrite <- (Heq _ _ H).
    destruct literal as [n|]; simpl in Htaken;
      destruct Htaken as (y & dy & cy & Hty & Hn); rewrite HtI in Hty; injection Hty as <- <- <-.
    + now rewrite Hn.
    + destruct Hnext as (-> & Hall). unfold select.
      destruct (lookup cases (number (eval eI e))) eqn:Hl; [|reflexivity].
      exfalso. apply (Hall (number (eval eI e))); [congruence|exact Hn].
  - destruct cond; try contradiction. destruct H as (kind & e & Ht & H).
    simpl. unfold returned_at. rewrite Ht. simpl. now rewrite (Heq _ _ H).
Qed.

(** The result takes the branch that is claimed. *)
Lemma branches_sound : forall a next need (s0 : env * trace) eI r,
  let eR := fst (exec R (insts R a) s0) in
  branches R a next need ->
  match need with
  | Some (c, v) =>
      sem c v eI eR r
      /\ match c with CTest _ _ _ => ~ result_of R a v | _ => True end
  | None => True
  end ->
  leave (term R a) eR = Goto next.
Proof.
  intros a next need s0 eI r eR Hb Hneed.
  destruct Hb as [b Ht | v b Ht | v d Ht | i k o bound sel b b' is_true Ht Hi Hk Hu
                 | v b b' is_true Ht | v d cases b Ht]; rewrite Ht; simpl.
  - reflexivity.
  - now destruct (truth _).
  - reflexivity.
  - destruct Hneed as (Hs & Hsel). simpl in Hs.
    assert (He := exec_test R a s0 i k o bound sel (proj1 wf_R a) Hi Hk Hu Hsel).
    cbv zeta in He. fold eR in He. simpl in He. rewrite He, truth_of_bool, Hs. reflexivity.
  - destruct Hneed as (Hs & _). simpl in Hs. now rewrite Hs.
  - destruct Hneed as ((x & d' & cases' & Ht' & Hs) & _).
    rewrite Ht in Ht'. injection Ht' as <- <- <-. now rewrite Hs.
Qed.

(** The input is on the way to an end that is that of the result, without instructions. *)
Inductive tail : config -> config -> Prop :=
| tail_done kind v t : tail (Done kind v t) (Done kind v t)
| tail_step c kind v t :
    trace_of c = t -> tail (step I c) (Done kind v t) -> tail c (Done kind v t).

Lemma ends_sound : forall b kind v, ends I b kind v -> forall e t,
  tail (Run b e t) (Done kind (option_map (eval e) v) t).
Proof.
  induction 1 as [b kind v Hi Ht | b b' kind v [Hi Ht] He IH]; intros e t; apply tail_step; auto.
  - simpl. rewrite Hi. simpl. rewrite Ht. simpl. constructor.
  - simpl. rewrite Hi. simpl. rewrite Ht. simpl.
    specialize (IH (enter I b b' e) t).
    replace (option_map (eval e) (option_map (before I b b') v))
      with (option_map (eval (enter I b b' e)) v); [exact IH|].
    destruct v; simpl; [|reflexivity]. now rewrite eval_enter.
Qed.

Inductive related : state G -> config -> config -> Prop :=
| related_in s eI eR t r cI :
    reachable s -> holds s eI eR r -> agree s eI eR ->
    match to G s with
    | ToBlock b => cI = Run b eI t
    | ToEnd kind has_value => has_value = is_some r /\ cI = Done kind r t
    end ->
    related s cI (Run (at_ G s) eR t).

(** Progress of both. *)
Inductive moves s (cI cR : config) : Prop :=
| moves_result s' : way G s Result s' -> related s' cI (step R cR) -> moves s cI cR
| moves_input s' : way G s Input s' -> related s' (step I cI) cR -> moves s cI cR
| moves_both s' b e t :
    cI = Run b e t -> related s' (step I cI) (step R cR) -> moves s cI cR
| moves_to_tail kind v t :
    step R cR = Done kind v t -> tail (step I cI) (step R cR) -> moves s cI cR
| moves_in_tail kind v t :
    step R cR = Done kind v t -> tail cI (step R cR) -> moves s cI cR.


Lemma sem_ext : forall c v eI eR eR' r,
  eval eR v = eval eR' v -> sem c v eI eR r -> sem c v eI eR' r.
Proof. intros c v eI eR eR' r He H. destruct c; simpl in *; rewrite <- He; exact H. Qed.

Lemma sem_enter : forall b t c a a' v eI eR r,
  sem (claim_before I b t c) (before R a a' v) eI eR r ->
  sem c v (match t with ToBlock b' => enter I b b' eI | ToEnd _ _ => eI end) (enter R a a' eR) r.
Proof.
  intros b t c a a' v eI eR r H.
  destruct c; destruct t; simpl in *; rewrite ?eval_enter; exact H.
Qed.

Lemma before_other : forall f p b d id, b <> d -> before f p b (VPhi d id) = VPhi d id.
Proof.
  intros f p b d id H. simpl. destruct (Nat.eqb_spec d b) as [->|]; [now elim H|reflexivity].
Qed.

(** Instructions of the client are not in blocks that have none. *)
Lemma passing_value : forall s v,
  client G (at_ G s) = false ->
  (forall i k, v = VRes i k -> is_client R i = true) ->
  ~ result_of R (at_ G s) v.
Proof.
  intros s v Hc Hv Hr. destruct v; try contradiction. simpl in Hr.
  assert (H := other_blocks _ _ _ _ _ acc _ _ Hc Hr). now rewrite (Hv i index eq_refl) in H.
Qed.

Lemma once_client : forall s i k, once I G s (VRes i k) -> is_client R i = true.
Proof. intros s i k (d & sd & Hd & Hp & Hi). now apply (itself_client d sd i Hd Hp Hi). Qed.

Lemma in_passing_client : forall s c v, reachable s ->
  in_passing I R G s c v -> forall i k, v = VRes i k -> is_client R i = true.
Proof.
  intros s c v Hr H i k ->. destruct H as [H|H]; [now destruct c|].
  assert (Hc : forall c, claimed G s c (VRes i k) -> is_client R i = true)
    by (intros c' H'; exact (claims_client s Hr c' i k H')).
  destruct c; try exact (Hc _ H). apply equal_client in H as [H|H]; [exact H|exact (Hc _ H)].
Qed.

Lemma in_passing_sound : forall s c v eI eR r,
  holds s eI eR r -> agree s eI eR -> in_passing I R G s c v -> sem c v eI eR r.
Proof.
  intros s c v eI eR r Hh Ha [H|H]; [now apply decides_sound|].
  destruct c; try exact (Hh _ _ H). simpl. exact (equal_sound s _ v eI eR r Hh Ha H).
Qed.

Section Move.
Variables (s : state G) (eI eR : env) (r : option denotation).
Hypothesis reach : reachable s.
Hypothesis Hholds : holds s eI eR r.
Hypothesis Hagree : agree s eI eR.

(** Over an edge of the input *)
Section Both.
Variable b : block.
Hypothesis Hto : to G s = ToBlock b.
Hypothesis same : same_instructions I R G s b.
Hypothesis Hitself : itself G b -> pair G b = Some s.
Hypothesis Hat : client G (at_ G s) = false \/ pair G (at_ G s) = Some s.

Lemma equal_here : forall e v, equal I G s e v -> eval eI e = eval eR v.
Proof. intros e v. exact (equal_sound s e v eI eR r Hholds Hagree). Qed.

Lemma at_itself : forall d sd, itself G d -> pair G d = Some sd -> at_ G s = d -> s = sd.
Proof.
  intros d sd Hd Hp Ha. destruct (itself_pair _ _ _ _ _ acc d Hd) as (Hc & _).
  destruct Hat as [H|H]; rewrite Ha in H; congruence.
Qed.

Lemma both : forall cond s' t eI1 eR1,
  in_step s b eI eR (matched G s) eI1 eR1 ->
  way G s (Both cond) s' ->
  taken b cond eI1 ->
  match to G s' with
  | ToBlock b' =>
      related s' (Run b' (enter I b b' eI1) t) (Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) t)
  | ToEnd kind has_value =>
      has_value = is_some (returned_at b eI1) ->
      related s' (Done kind (returned_at b eI1) t)
        (Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) t)
  end.
Proof.
  intros cond s' t eI1 eR1 Hin Hw Htaken.
  set (eI' := match to G s' with ToBlock b' => enter I b b' eI1 | ToEnd _ _ => eI1 end).
  set (eR' := enter R (at_ G s) (at_ G s') eR1).
  assert (Hh : holds s' eI' eR' (returned_at b eI1)).
  { intros c v Hc. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hc).
    simpl in Hf. destruct Hf as (b0 & Hb0 & Hf). rewrite Hto in Hb0. injection Hb0 as <-.
    apply sem_enter. eapply at_end_sound; eauto.
    intros e v0. apply (equal_at_end_sound s b eI eR equal_here). exact Hin. }
  assert (Ha : agree s' eI' eR').
  { intros e (d & sd & Hd & Hp & He). destruct e as [id|n|is_true|d' id|i k]; try contradiction.
    - destruct He as (-> & Hc & Hs). destruct Hs as [-> | (Hna & Hnt)]; [exact (Hh _ _ Hc)|].
      assert (Honce : once I G s (VPhi d id)).
      { exists d, sd. repeat split; auto.
        destruct (Nat.eq_dec (at_ G s) d) as [E|Ea]; [left; now apply (at_itself d)|].
        destruct (Nat.eq_dec b d) as [->|Eb].
        - left. specialize (Hitself Hd). congruence.
        - right. split; [exact Ea|]. rewrite Hto. congruence. }
      destruct Hin as (_ & HI & HR).
      assert (HR' : eval eR' (VPhi d id) = eval eR (VPhi d id)).
      { unfold eR'. rewrite eval_enter, before_other by exact Hna. now apply HR. }
      assert (HI' : eval eI' (VPhi d id) = eval eI (VPhi d id)).
      { unfold eI'. destruct (to G s') as [b'|]; [|now apply HI].
        rewrite eval_enter, before_other by congruence. now apply HI. }
      rewrite HR', HI'. now apply Hagree.
    - destruct (itself_client d sd i Hd Hp He) as (Hm & HiR & _).
      assert (HR' : eval eR' (VRes i k) = eval eR1 (VRes i k)) by apply eval_enter.
      assert (HI' : eval eI' (VRes i k) = eval eI1 (VRes i k)).
      { unfold eI'. destruct (to G s'); reflexivity. }
      rewrite HR', HI'. destruct Hin as (H1 & HI & HR).
      destruct (Nat.eq_dec b d) as [->|Eb].
      + specialize (Hitself Hd). assert (s = sd) as -> by congruence. now apply H1.
      + rewrite HI, HR.
        * apply Hagree. now exists d, sd.
        * simpl. intros Hi. apply Eb.
          assert (Ead := proj2 wf_R _ _ _ Hi HiR).
          assert (s = sd) as Es by now apply (at_itself d).
          destruct (itself_pair _ _ _ _ _ acc d Hd) as (_ & _ & s1 & Hp1 & _ & Ht1 & _).
          congruence.
        * simpl. intros Hi. apply Eb. exact (proj2 wf_I _ _ _ Hi He). }
  assert (Hr : reachable s') by (eapply reachable_way; eauto).
  destruct (to G s') as [b'|kind hv] eqn:Ht.
  - eapply related_in; eauto. now rewrite Ht.
  - intros Hhv. eapply related_in; eauto. now rewrite Ht.
Qed.

Lemma same_value_sound : forall eI1 eR1 e v,
  in_step s b eI eR (matched G s) eI1 eR1 ->
  same_value I R G s b e v -> option_map (eval eI1) e = option_map (eval eR1) v.
Proof.
  intros eI1 eR1 e v Hin H. destruct e, v; try contradiction; [|reflexivity].
  simpl. f_equal. exact (equal_at_end_sound s b eI eR equal_here eI1 eR1 _ _ Hin H).
Qed.

Lemma moves_pair : forall t, in_order I b -> leave_pair I R G s b ->
  moves s (Run b eI t) (Run (at_ G s) eR t).
Proof.
  intros t Hord (_ & Hl).
  assert (Hexec := exec_pair s b eI eR Hord same equal_here t).
  destruct (exec I (insts I b) (eI, t)) as [eI1 tI] eqn:EI.
  destruct (exec R (insts R (at_ G s)) (eR, t)) as [eR1 tR] eqn:ER.
  destruct Hexec as (-> & Hin).
  assert (HeR1 : eR1 = fst (exec R (insts R (at_ G s)) (eR, t))) by now rewrite ER.
  assert (Hedge : forall cond tgt, follow_edge I R G s b cond tgt -> taken b cond eI1 ->
    exists s', way G s (Both cond) s' /\ to G s' = tgt
      /\ step R (Run (at_ G s) eR t) = Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) tR).
  { intros cond tgt (next & need & s' & Hb & Hneed & Hw & Hn & Ht) Htaken.
    exists s'. repeat split; auto. simpl. rewrite ER.
    rewrite HeR1 in *. rewrite (branches_sound _ next need (eR, t) eI1 (returned_at b eI1) Hb).
    - now rewrite Hn.
    - destruct need as [[c v]|]; [|exact Logic.I]. split.
      + eapply at_end_sound; eauto.
        intros e v0. apply (equal_at_end_sound s b eI eR equal_here). exact Hin.
      + destruct c; auto. destruct Hneed as [Hd|Hd]; [|now destruct cond].
        destruct v; try contradiction. auto. }
  destruct (leave (term I b) eI1) as [b'|kind v] eqn:HlI.
  - assert (HsI : step I (Run b eI t) = Run b' (enter I b b' eI1) tR)
      by (simpl; rewrite EI, HlI; auto).
    destruct (leave_goto b eI1 b' HlI) as (cond & He & Htaken).
    destruct (term R (at_ G s)) as [| | |kind v] eqn:HtR; destruct Hl as (Hl & _).
    1-3: destruct (Hedge _ _ (Hl _ _ He) Htaken) as (s' & Hw & Ht & HsR);
         eapply (moves_both _ _ _ s'); [reflexivity|]; rewrite HsI, HsR;
         assert (Hboth := both cond s' tR eI1 eR1 Hin Hw Htaken); now rewrite Ht in Hboth.
    destruct (Hl _ _ He) as (e & Hends & Hv).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) tR)
      by (simpl; rewrite ER, HtR; reflexivity).
    eapply moves_to_tail; [exact HsR|]. rewrite HsI, HsR.
    rewrite <- (same_value_sound eI1 eR1 _ _ Hin Hv).
    replace (option_map (eval eI1) (option_map (before I b b') e))
      with (option_map (eval (enter I b b' eI1)) e).
    + now apply ends_sound.
    + destruct e; simpl; [now rewrite eval_enter|reflexivity].
  - assert (HsI : step I (Run b eI t) = Done kind v tR) by (simpl; rewrite EI, HlI; auto).
    destruct (term I b) as [| | |kind' e] eqn:HtI; try discriminate HlI.
    simpl in HlI. injection HlI as -> <-.
    assert (Hret : returned_at b eI1 = option_map (eval eI1) e)
      by (unfold returned_at; now rewrite HtI).
    destruct (term R (at_ G s)) as [| | |kindR v] eqn:HtR; destruct Hl as (_ & Hl).
    1-3: destruct (Hedge _ _ (Hl _ _ eq_refl) Logic.I) as (s' & Hw & Ht & HsR);
         eapply (moves_both _ _ _ s'); [reflexivity|]; rewrite HsI, HsR;
         assert (Hboth := both Always s' tR eI1 eR1 Hin Hw Logic.I); rewrite Ht, Hret in Hboth;
         apply Hboth; now destruct e.
    destruct (Hl _ _ eq_refl) as (<- & Hv).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) tR)
      by (simpl; rewrite ER, HtR; reflexivity).
    eapply moves_to_tail; [exact HsR|]. rewrite HsI, HsR.
    rewrite <- (same_value_sound eI1 eR1 _ _ Hin Hv). constructor.
Qed.

End Both.

(** Over an edge of the result *)
Lemma passing_exec : forall t, client G (at_ G s) = false ->
  exists eR1, exec R (insts R (at_ G s)) (eR, t) = (eR1, t)
    /\ forall v, ~ result_of R (at_ G s) v -> eval eR1 v = eval eR v.
Proof.
  intros t Hc. destruct (exec R (insts R (at_ G s)) (eR, t)) as [eR1 t1] eqn:E.
  exists eR1. split.
  - f_equal. change t1 with (snd (eR1, t1)). rewrite <- E. apply exec_tests.
    intros i Hi. exact (other_blocks _ _ _ _ _ acc _ _ Hc Hi).
  - intros v Hv. change eR1 with (fst (eR1, t1)). rewrite <- E. now apply exec_unchanged.
Qed.

Lemma passing : forall s' t cI eR1,
  client G (at_ G s) = false ->
  (forall v, ~ result_of R (at_ G s) v -> eval eR1 v = eval eR v) ->
  way G s Result s' -> to G s' = to G s ->
  match to G s with
  | ToBlock b => cI = Run b eI t
  | ToEnd kind has_value => has_value = is_some r /\ cI = Done kind r t
  end ->
  related s' cI (Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) t).
Proof.
  intros s' t cI eR1 Hc HeR1 Hw Ht HcI.
  assert (Hh : holds s' eI (enter R (at_ G s) (at_ G s') eR1) r).
  { intros c v Hcl. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hcl). simpl in Hf.
    assert (Hs : sem c (before R (at_ G s) (at_ G s') v) eI eR1 r).
    { apply (sem_ext _ _ _ eR).
      - symmetry. apply HeR1. apply passing_value; [exact Hc|].
        exact (in_passing_client s c _ reach Hf).
      - exact (in_passing_sound s c _ eI eR r Hholds Hagree Hf). }
    destruct c; simpl in *; rewrite ?eval_enter; exact Hs. }
  assert (Ha : agree s' eI (enter R (at_ G s) (at_ G s') eR1)).
  { intros e (d & sd & Hd & Hp & He). destruct e as [id|n|is_true|d' id|i k]; try contradiction.
    - destruct He as (-> & Hcl & Hs). destruct Hs as [-> | (Hna & Hnt)]; [exact (Hh _ _ Hcl)|].
      rewrite eval_enter, before_other by exact Hna. rewrite HeR1 by (simpl; auto).
      apply Hagree. exists d, sd. repeat split; auto. right. split.
      + intros Ea. destruct (itself_pair _ _ _ _ _ acc d Hd) as (Hc' & _). congruence.
      + now rewrite <- Ht.
    - rewrite eval_enter. simpl before.
      assert (Ho : once I G s (VRes i k)) by now exists d, sd.
      rewrite HeR1; [now apply Hagree|]. apply passing_value; [exact Hc|].
      intros i' k' [= <- <-]. exact (once_client s i k Ho). }
  eapply related_in; eauto.
  - eapply reachable_way; eauto.
  - now rewrite Ht.
Qed.

(** Over an empty block of the input *)
Lemma waiting : forall b b' s' t,
  to G s = ToBlock b -> ~ itself G b ->
  way G s Input s' -> at_ G s' = at_ G s -> to G s' = ToBlock b' ->
  related s' (Run b' (enter I b b' eI) t) (Run (at_ G s) eR t).
Proof.
  intros b b' s' t Hb Hn Hw Ha Ht.
  assert (Hh : holds s' (enter I b b' eI) eR r).
  { intros c v Hcl. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hcl). simpl in Hf.
    destruct Hf as (b0 & Hb0 & Hf). rewrite Hb in Hb0. injection Hb0 as <-.
    assert (Hs := in_passing_sound s _ v eI eR r Hholds Hagree Hf). rewrite Ht in Hs.
    destruct c; simpl in *; rewrite ?eval_enter; exact Hs. }
  assert (Hag : agree s' (enter I b b' eI) eR).
  { intros e (d & sd & Hd & Hp & He). destruct e as [id|n|is_true|d' id|i k]; try contradiction.
    - destruct He as (-> & Hcl & Hs). destruct Hs as [-> | (Hna & Hnt)]; [exact (Hh _ _ Hcl)|].
      rewrite eval_enter, before_other by congruence.
      apply Hagree. exists d, sd. repeat split; auto. right. split.
      + now rewrite <- Ha.
      + rewrite Hb. intros [= ->]. now apply Hn.
    - rewrite eval_enter. simpl before. apply Hagree. now exists d, sd. }
  rewrite <- Ha. eapply related_in; eauto.
  - eapply reachable_way; eauto.
  - now rewrite Ht.
Qed.

End Move.

Lemma related_moves : forall s cI cR,
  in_order_at I cI -> related s cI cR -> moves s cI cR.
Proof.
  intros s cI cR Hord H. destruct H as [s eI eR t r cI Hr Hh Ha HcI].
  destruct (all_leave _ _ _ _ _ acc s) as
    [b Hp Ht Hi Hl | b b' s' Hc Ht Hemp Hn Hw Has Hts | b kind v e Hc HtR Ht He Hv
    | kind v Hc HtR Ht Hv | next need s' Hc Hb Hneed Hw Has Hts | b Hc Ht Hemp Hn Hl].
  - rewrite Ht in HcI. subst cI. apply (moves_pair s eI eR r Hr Hh Ha b); auto.
    + exact (proj1 Hl).
    + intros Hb. rewrite (Hi Hb) in Hp. exact Hp.
  - rewrite Ht in HcI. subst cI. apply (moves_input _ _ _ s' Hw).
    destruct Hemp as (Hi & Htm). simpl. rewrite Hi. simpl. rewrite Htm. simpl.
    now apply (waiting s eI eR r Hr Hh Ha b b' s' t).
  - rewrite Ht in HcI. subst cI.
    destruct (passing_exec s eR t Hc) as (eR1 & HeR1 & Hsame).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) t)
      by (simpl; rewrite HeR1, HtR; reflexivity).
    eapply moves_in_tail; [exact HsR|]. rewrite HsR.
    replace (option_map (eval eR1) v) with (option_map (eval eI) e); [now apply ends_sound|].
    destruct e as [e|], v as [v|]; try contradiction; [|reflexivity]. simpl. f_equal.
    rewrite Hsame; [exact (equal_sound s e v eI eR r Hh Ha Hv)|].
    apply passing_value; [exact Hc|].
    apply (in_passing_client s (CInput e) v Hr). now right.
  - rewrite Ht in HcI. destruct HcI as (Hsome & ->).
    destruct (passing_exec s eR t Hc) as (eR1 & HeR1 & Hsame).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) t)
      by (simpl; rewrite HeR1, HtR; reflexivity).
    eapply moves_in_tail; [exact HsR|]. rewrite HsR.
    replace (option_map (eval eR1) v) with r; [constructor|].
    destruct v as [v|]; simpl in *.
    + rewrite Hsame; [exact (Hh _ _ Hv)|]. apply passing_value; [exact Hc|].
      intros i k ->. exact (claims_client s Hr _ _ _ Hv).
    + now destruct r.
  - destruct (passing_exec s eR t Hc) as (eR1 & HeR1 & Hsame).
    apply (moves_result _ _ _ s' Hw).
    replace (step R (Run (at_ G s) eR t))
      with (Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) t);
      [now apply (passing s eI eR r Hr Hh Ha s' t cI eR1)|].
    simpl. rewrite HeR1.
    assert (Hleave := branches_sound _ next need (eR, t) eI r Hb). rewrite HeR1 in Hleave.
    simpl in Hleave. rewrite Hleave; [now rewrite Has|].
    destruct need as [[c v]|]; [|exact Logic.I].
    assert (Hv : ~ result_of R (at_ G s) v).
    { apply passing_value; [exact Hc|]. intros i k ->. exact (claims_client s Hr _ _ _ Hneed). }
    split; [|now destruct c].
    apply (sem_ext _ _ _ eR); [now rewrite Hsame|exact (Hh _ _ Hneed)].
  - rewrite Ht in HcI. subst cI. apply (moves_pair s eI eR r Hr Hh Ha b); auto.
    + exact (proj1 Hl).
    + intros Hb. now elim Hn.
Qed.

Lemma related_first : forall e, related (start G) (Run entry e []) (Run first e []).
Proof.
  intros e. rewrite <- (start_at _ _ _ _ _ acc).
  apply (related_in (start G) e e [] None (Run entry e [])).
  - constructor.
  - intros c v Hc. destruct (start_claims _ _ _ _ _ acc _ _ Hc) as (Hv & ->). reflexivity.
  - intros v _. reflexivity.
  - now rewrite (start_to _ _ _ _ _ acc).
Qed.

End Sound.
