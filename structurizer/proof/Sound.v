(** Wherever an accepted result and its input are in a state, they move to another or end. *)

From Coq Require Import List Arith NArith Bool.
Import ListNotations.
From Trellis Require Import Machine Ssa Check Pairs.

Section Sound.
Context {M : Model}.
Variables I R : func.
Variables entry first : block.
Variable G : graph.
Hypothesis wf_I : well_formed I.
Hypothesis wf_R : well_formed R.
Hypothesis acc : accepted I R entry first G.
(** A part of the SSA form of the result, which [verify] checks *)
Hypothesis ordered_R : forall s : state G, in_order R (at_ G s).

Implicit Types s : state G.

Local Notation sem := (sem R).
Local Notation holds := (holds R G).
Local Notation agree := (agree I G).
Local Notation in_step := (in_step I R G).
Local Notation equal_sound := (equal_sound I R G).
Local Notation itself_client := (itself_client I R entry first G acc).
Local Notation exec_pair := (exec_pair I R G wf_I wf_R).
Local Notation equal_at_end_sound := (equal_at_end_sound I R G).

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

(** The results of selects and tests, at the end of a block. *)
Lemma selects_sound : forall s v x y z (s0 : env * trace),
  selects R (at_ G s) v x y z ->
  let eR := fst (exec R (insts R (at_ G s)) s0) in
  eval eR v = eval eR (if truth (eval eR x) then y else z).
Proof.
  intros s v x y z s0 (i & k & -> & Hi & Hk & Hu) eR.
  assert (H := exec_inserted R (at_ G s) s0 i k (proj1 wf_R _) (ordered_R s) Hi).
  unfold is_client in H. rewrite Hk, Hu in H. specialize (H eq_refl). cbv zeta in H.
  fold eR in H. rewrite H. simpl. now destruct (truth _).
Qed.

Lemma tests_sound : forall s v o bound selector (s0 : env * trace),
  tests R (at_ G s) v o bound selector ->
  let eR := fst (exec R (insts R (at_ G s)) s0) in
  truth (eval eR v) = compare o (number (eval eR selector)) bound.
Proof.
  intros s v o bound selector s0 (i & k & -> & Hi & Hk & Hu) eR.
  assert (H := exec_inserted R (at_ G s) s0 i k (proj1 wf_R _) (ordered_R s) Hi).
  unfold is_client in H. rewrite Hk, Hu in H. specialize (H eq_refl). cbv zeta in H.
  fold eR in H. rewrite H. simpl. apply truth_of_bool.
Qed.

Lemma at_end_sound : forall s b eI (s0 : env * trace) cond c v,
  let eR := fst (exec R (insts R (at_ G s)) s0) in
  (forall e v, equal_at_end I G s b e v -> eval eI e = eval eR v) ->
  taken b cond eI ->
  at_end I R G s b cond c v -> sem c v eI eR (returned_at b eI).
Proof.
  intros s b eI s0 cond c v eR Heq Htaken H.
  induction H as [c v x y z is_true Hs Hx IHx Hv IHv | c v Hd | e v H | is_true e v -> He H
                 | switch next literal e v -> Htakes He H | kind e v Ht H].
  - simpl in IHx. assert (Hv' := selects_sound s v x y z s0 Hs). cbv zeta in Hv'.
    fold eR in Hv'. rewrite IHx in Hv'. symmetry in Hv'. exact (sem_ext _ _ _ _ _ _ _ _ Hv' IHv).
  - now apply decides_sound.
  - now apply Heq.
  - simpl in Htaken. destruct Htaken as (x & b1 & b2 & Ht & Htruth).
    unfold read in He. rewrite Ht in He. injection He as ->.
    simpl. now rewrite <- (Heq _ _ H).
  - destruct Htakes as (x & d & cases & x' & d' & cases' & HtR & HtI & Hnext).
    unfold read in He. rewrite HtI in He. injection He as ->.
    simpl. exists x, d, cases. split; [exact HtR|]. rewrite <- (Heq _ _ H).
    destruct literal as [n|]; simpl in Htaken;
      destruct Htaken as (y & dy & cy & Hty & Hn); rewrite HtI in Hty; injection Hty as <- <- <-.
    + now rewrite Hn.
    + destruct Hnext as (-> & Hall). unfold select.
      destruct (lookup cases (number (eval eI e))) eqn:Hl; [|reflexivity].
      exfalso. apply (Hall (number (eval eI e))); [congruence|exact Hn].
  - simpl. unfold returned_at. rewrite Ht. simpl. now rewrite (Heq _ _ H).
Qed.

(** In a state at the end of its block: claims hold there. *)
Lemma in_passing_sound : forall s eI (s0 : env * trace) r c v,
  let eR := fst (exec R (insts R (at_ G s)) s0) in
  holds s eI eR r -> agree s eI eR -> in_passing I R G s c v -> sem c v eI eR r.
Proof.
  intros s eI s0 r c v eR Hh Ha H.
  induction H as [c v x y z is_true Hs Hx Hv IHv | c v Hd | e v H | c v H].
  - assert (Htruth : truth (eval eR x) = is_true).
    { destruct Hx as [Hx|(o & bound & selector & Ht & Hx)]; [exact (Hh _ _ Hx)|].
      assert (Ht' := tests_sound s x o bound selector s0 Ht). cbv zeta in Ht'. fold eR in Ht'.
      rewrite Ht'. exact (Hh _ _ Hx). }
    assert (Hv' := selects_sound s v x y z s0 Hs). cbv zeta in Hv'. fold eR in Hv'.
    rewrite Htruth in Hv'. symmetry in Hv'. exact (sem_ext _ _ _ _ _ _ _ _ Hv' IHv).
  - now apply decides_sound.
  - exact (equal_sound s e v eI eR r Hh Ha H).
  - exact (Hh _ _ H).
Qed.

(** The result takes the branch that is claimed. *)
Lemma branches_sound : forall s next need (s0 : env * trace) eI r,
  let eR := fst (exec R (insts R (at_ G s)) s0) in
  branches R (at_ G s) next need ->
  match need with Some (c, v) => sem c v eI eR r | None => True end ->
  leave (term R (at_ G s)) eR = Goto next.
Proof.
  intros s next need s0 eI r eR Hb Hneed.
  destruct Hb as [b Ht | v b Ht | v d Ht | v o bound sel b b' is_true Ht Htest
                 | v b b' is_true Ht | v d cases b Ht]; rewrite Ht; simpl.
  - reflexivity.
  - now destruct (truth _).
  - reflexivity.
  - assert (He := tests_sound s v o bound sel s0 Htest). cbv zeta in He. fold eR in He.
    simpl in Hneed. rewrite He, Hneed. reflexivity.
  - simpl in Hneed. now rewrite Hneed.
  - destruct Hneed as (x & d' & cases' & Ht' & Hs).
    rewrite Ht in Ht'. injection Ht' as <- <- <-. now rewrite Hs.
Qed.

(** The result is at the start of its block, or has ended where the input does not yet. *)
Inductive related : state G -> config -> config -> Prop :=
| related_block s b eI eR t :
    to G s = ToBlock b -> (exists r, holds s eI eR r) -> agree s eI eR ->
    related s (Run b eI t) (Run (at_ G s) eR t)
| related_last s b eI (s0 : env * trace) t kind v :
    let eR := fst (exec R (insts R (at_ G s)) s0) in
    to G s = ToLast b -> term R (at_ G s) = TExit kind v ->
    (exists r, holds s eI eR r) -> agree s eI eR ->
    related s (Run b eI t) (Done kind (option_map (eval eR) v) t)
| related_end s kind r eI eR t :
    to G s = ToEnd kind (is_some r) -> holds s eI eR r -> agree s eI eR ->
    related s (Done kind r t) (Run (at_ G s) eR t).

(** Progress of one or both. *)
Inductive moves s (cI cR : config) : Prop :=
| moves_result s' : way G s Result s' -> related s' cI (step R cR) -> moves s cI cR
| moves_input s' b e t :
    cI = Run b e t -> way G s Input s' -> related s' (step I cI) cR -> moves s cI cR
| moves_both s' b e t b' e' t' :
    cI = Run b e t -> cR = Run b' e' t' -> related s' (step I cI) (step R cR) -> moves s cI cR
(** Both end, or one that the other waits for. *)
| moves_to_end kind v t :
    step I cI = Done kind v t -> step R cR = Done kind v t -> moves s cI cR.

Lemma sem_ext_input : forall c v eI eI' eR r,
  (forall e, c = CInput e -> eval eI e = eval eI' e) -> sem c v eI eR r -> sem c v eI' eR r.
Proof. intros c v eI eI' eR r He H. destruct c; simpl in *; try exact H. now rewrite <- He. Qed.

(** The environment of the input in a state after a step to a target *)
Definition input_at (b : block) (t : target) (eI : env) : env :=
  match ahead t with Some b' => enter I b b' eI | None => eI end.

Lemma sem_before : forall b t c v eI eR r,
  sem (claim_before I b t c) v eI eR r -> sem c v (input_at b t eI) eR r.
Proof.
  intros b t c v eI eR r H. unfold claim_before, input_at in *.
  destruct c, (ahead t); simpl in *; rewrite ?eval_enter; exact H.
Qed.

(** Where the phis of a block are not run, they keep their values. *)
Lemma before_other : forall f p b d id, b <> d -> before f p b (VPhi d id) = VPhi d id.
Proof.
  intros f p b d id H. simpl. destruct (Nat.eqb_spec d b) as [->|]; [now elim H|reflexivity].
Qed.

Lemma input_at_phi : forall b t eI d id,
  ahead t <> Some d -> eval (input_at b t eI) (VPhi d id) = eval eI (VPhi d id).
Proof.
  intros b t eI d id H. unfold input_at. destruct (ahead t) as [b'|]; [|reflexivity].
  rewrite eval_enter, before_other; congruence.
Qed.

Lemma input_at_result : forall b t eI i k,
  eval (input_at b t eI) (VRes i k) = eval eI (VRes i k).
Proof. intros b t eI i k. unfold input_at. now destruct (ahead t). Qed.

(** What is itself still agrees in the next state, if it does where the step is made. *)
Lemma agree_next : forall s s' eI eR eI' eR' r,
  holds s' eI' eR' r ->
  (forall d sd i k, itself G d -> pair G d = Some sd -> In i (insts I d) ->
    eval eI (VRes i k) = eval eR (VRes i k)) ->
  (forall i k, eval eI' (VRes i k) = eval eI (VRes i k)) ->
  (forall i k, eval eR' (VRes i k) = eval eR (VRes i k)) ->
  (forall d id sd, itself G d -> pair G d = Some sd ->
    claimed G sd (CInput (VPhi d id)) (VPhi d id) ->
    at_ G s' <> d -> ahead (to G s') <> Some d ->
    eval eI' (VPhi d id) = eval eI (VPhi d id) /\ eval eR' (VPhi d id) = eval eR (VPhi d id)
    /\ eval eI (VPhi d id) = eval eR (VPhi d id)) ->
  agree s' eI' eR'.
Proof.
  intros s s' eI eR eI' eR' r Hh Hres HI HR Hphi e (d & sd & Hd & Hp & He).
  destruct e as [id|n|is_true|d' id|i k]; try contradiction.
  - destruct He as (-> & Hc & Hs). destruct Hs as [-> | (Hna & Hnt)]; [exact (Hh _ _ Hc)|].
    destruct (Hphi d id sd Hd Hp Hc Hna Hnt) as (-> & -> & H). exact H.
  - rewrite HI, HR. exact (Hres d sd i k Hd Hp He).
Qed.

Lemma agree_result : forall s eI eR, agree s eI eR -> forall d sd i k,
  itself G d -> pair G d = Some sd -> In i (insts I d) ->
  eval eI (VRes i k) = eval eR (VRes i k).
Proof. intros s eI eR Ha d sd i k Hd Hp Hi. apply Ha. now exists d, sd. Qed.

Lemma agree_phi : forall s eI eR d sd id, agree s eI eR ->
  itself G d -> pair G d = Some sd -> claimed G sd (CInput (VPhi d id)) (VPhi d id) ->
  s = sd \/ (at_ G s <> d /\ ahead (to G s) <> Some d) ->
  eval eI (VPhi d id) = eval eR (VPhi d id).
Proof. intros s eI eR d sd id Ha Hd Hp Hc Hs. apply Ha. now exists d, sd. Qed.

Section Move.
Variables (s : state G) (eI eR : env) (r : option denotation).
Hypothesis Hholds : holds s eI eR r.
Hypothesis Hagree : agree s eI eR.

(** Over an edge of the input *)
Section Both.
Variable b : block.
Hypothesis Hto : to G s = ToBlock b.
Hypothesis same : same_instructions I R G s b.
Hypothesis Hitself : itself G b -> pair G b = Some s.
Hypothesis Hat : client G (at_ G s) = false \/ pair G (at_ G s) = Some s.
Hypothesis Hord : in_order I b.

Lemma equal_here : forall e v, equal I G s e v -> eval eI e = eval eR v.
Proof. intros e v. exact (equal_sound s e v eI eR r Hholds Hagree). Qed.

Lemma at_itself : forall d sd, itself G d -> pair G d = Some sd -> at_ G s = d -> s = sd.
Proof.
  intros d sd Hd Hp Ha. destruct (itself_pair _ _ _ _ _ acc d Hd) as (Hc & _).
  destruct Hat as [H|H]; rewrite Ha in H; congruence.
Qed.

Lemma itself_to : forall d sd, itself G d -> pair G d = Some sd -> to G sd = ToBlock d.
Proof.
  intros d sd Hd Hp. destruct (itself_pair _ _ _ _ _ acc d Hd) as (_ & _ & s1 & Hp1 & _ & Ht1 & _).
  congruence.
Qed.

Lemma fresh_here : forall e v,
  equal I G s e v -> ~ result_of I b e -> ~ result_of R (at_ G s) v.
Proof.
  intros e v [(Hc & ->) | [(Ho & ->) | H]] Hne Hr.
  - now destruct v.
  - destruct Ho as (d & sd & Hd & Hp & He). destruct v as [| | | |i k]; try contradiction.
    destruct (itself_client d sd i Hd Hp He) as (_ & HiR & _).
    assert (Ea := proj2 wf_R _ _ _ Hr HiR). assert (Es := at_itself d sd Hd Hp Ea). subst sd.
    assert (Ht := itself_to d s Hd Hp). apply Hne. simpl. congruence.
  - apply (all_fresh _ _ _ _ _ acc _ _ _ H); [|exact Hr]. intros b'. rewrite Hto. discriminate.
Qed.

Section Executed.
Variables (eI1 : env) (t t1 : trace).
Let eR1 := fst (exec R (insts R (at_ G s)) (eR, t)).
Hypothesis Hin : in_step s b eI eR (matched G s) eI1 eR1.

Lemma end_sound : forall e v, equal_at_end I G s b e v -> eval eI1 e = eval eR1 v.
Proof.
  intros e v. now apply (equal_at_end_sound s b eI eR equal_here fresh_here).
Qed.

Lemma both : forall cond s',
  way G s (Both cond) s' -> taken b cond eI1 ->
  let eR2 := match to G s' with
             | ToLast _ => eR1
             | _ => enter R (at_ G s) (at_ G s') eR1
             end in
  (forall l, to G s' = ToLast l -> at_ G s' = at_ G s) ->
  holds s' (input_at b (to G s') eI1) eR2 (returned_at b eI1)
  /\ agree s' (input_at b (to G s') eI1) eR2.
Proof.
  intros cond s' Hw Htaken eR2 Hlast.
  assert (HeR2 : forall v, eval eR2 v = eval eR1 (value_before R G s s' v)).
  { intros v. unfold eR2, value_before. destruct (to G s'); try apply eval_enter. reflexivity. }
  assert (Hh : holds s' (input_at b (to G s') eI1) eR2 (returned_at b eI1)).
  { intros c v Hc. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hc).
    simpl in Hf. destruct Hf as (b0 & Hb0 & Hf). rewrite Hto in Hb0. injection Hb0 as <-.
    apply sem_before. apply (sem_ext _ _ _ _ _ _ _ _ (eq_sym (HeR2 v))).
    assert (Hs := at_end_sound s b eI1 (eR, t) cond _ _ end_sound Htaken Hf).
    cbv zeta in Hs. fold eR1 in Hs.
    destruct (claim_before I b (to G s') c); simpl in *; rewrite ?HeR2; exact Hs. }
  split; [exact Hh|]. destruct Hin as (H1 & HI & HR).
  apply (agree_next s s' eI1 eR1 _ _ _ Hh).
  - intros d sd i k Hd Hp Hi.
    destruct (itself_client d sd i Hd Hp Hi) as (Hm & HiR & _).
    destruct (Nat.eq_dec b d) as [->|Eb].
    + specialize (Hitself Hd). assert (s = sd) as -> by congruence. now apply H1.
    + rewrite HI, HR; [now apply (agree_result s eI eR Hagree d sd)| |].
      * simpl. intros Hr. apply Eb. assert (Ea := proj2 wf_R _ _ _ Hr HiR).
        assert (Es := at_itself d sd Hd Hp Ea). subst sd.
        assert (Ht := itself_to d s Hd Hp). congruence.
      * simpl. intros Hr. apply Eb. exact (proj2 wf_I _ _ _ Hr Hi).
  - intros i k. apply input_at_result.
  - intros i k. rewrite HeR2. unfold value_before. now destruct (to G s').
  - intros d id sd Hd Hp Hc Hna Hnt. split; [|split].
    + now apply input_at_phi.
    + rewrite HeR2. unfold value_before.
      destruct (to G s'); try reflexivity; now rewrite before_other.
    + rewrite HI, HR by (simpl; auto). apply (agree_phi s eI eR d sd id Hagree Hd Hp Hc).
      destruct (Nat.eq_dec (at_ G s) d) as [E|Ea]; [left; now apply (at_itself d)|].
      destruct (Nat.eq_dec b d) as [->|Eb].
      * left. specialize (Hitself Hd). congruence.
      * right. split; [exact Ea|]. rewrite Hto. simpl. congruence.
Qed.

End Executed.

Lemma same_value_sound : forall eI1 eR1 e v,
  in_step s b eI eR (matched G s) eI1 eR1 ->
  same_value I G s b e v -> option_map (eval eI1) e = option_map (eval eR1) v.
Proof.
  intros eI1 eR1 e v Hin H. destruct e, v; try contradiction; [|reflexivity].
  simpl. f_equal.
  exact (equal_at_end_sound s b eI eR equal_here fresh_here eI1 eR1 _ _ Hin H).
Qed.

Lemma moves_pair : forall t, leave_pair I R G s b ->
  moves s (Run b eI t) (Run (at_ G s) eR t).
Proof.
  intros t (_ & Hl).
  assert (Hexec := exec_pair s b eI eR Hord same equal_here fresh_here t).
  destruct (exec I (insts I b) (eI, t)) as [eI1 tI] eqn:EI.
  destruct (exec R (insts R (at_ G s)) (eR, t)) as [eR1 tR] eqn:ER.
  destruct Hexec as (-> & Hin).
  assert (HeR1 : eR1 = fst (exec R (insts R (at_ G s)) (eR, t))) by now rewrite ER.
  assert (Hin' := Hin). rewrite HeR1 in Hin'.
  assert (Hedge : forall cond tgt, follow_edge I R G s b cond tgt -> taken b cond eI1 ->
    (forall l, tgt <> ToLast l) ->
    exists s', way G s (Both cond) s' /\ to G s' = tgt
      /\ step R (Run (at_ G s) eR t) = Run (at_ G s') (enter R (at_ G s) (at_ G s') eR1) tR
      /\ holds s' (input_at b tgt eI1) (enter R (at_ G s) (at_ G s') eR1) (returned_at b eI1)
      /\ agree s' (input_at b tgt eI1) (enter R (at_ G s) (at_ G s') eR1)).
  { intros cond tgt (next & need & s' & Hb & Hneed & Hw & Hn & Ht) Htaken Hnl.
    exists s'. split; [exact Hw|]. split; [exact Ht|]. split.
    - simpl. rewrite ER. rewrite HeR1.
      rewrite (branches_sound s next need (eR, t) eI1 (returned_at b eI1) Hb); [now rewrite Hn|].
      destruct need as [[c v]|]; [|exact Logic.I].
      apply (at_end_sound s b eI1 (eR, t) cond); auto. exact (end_sound eI1 t Hin').
    - assert (H := both eI1 t Hin' cond s' Hw Htaken). rewrite Ht in H. cbv zeta in H.
      rewrite <- HeR1 in H. destruct tgt; [|now elim (Hnl b0)|]; apply H; discriminate. }
  destruct (leave (term I b) eI1) as [b'|kind v] eqn:HlI.
  - assert (HsI : step I (Run b eI t) = Run b' (enter I b b' eI1) tR)
      by (simpl; rewrite EI, HlI; auto).
    destruct (leave_goto b eI1 b' HlI) as (cond & He & Htaken).
    destruct (term R (at_ G s)) as [| | |kind v] eqn:HtR; destruct Hl as (Hl & _).
    1-3: destruct (Hedge _ _ (Hl _ _ He) Htaken) as (s' & Hw & Ht & HsR & Hh & Ha);
         [discriminate|]; eapply (moves_both _ _ _ s'); [reflexivity|reflexivity|];
         rewrite HsI, HsR; apply related_block; eauto.
    destruct (Hl _ _ He) as (s' & Hw & Has & Ht).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) tR)
      by (simpl; rewrite ER, HtR; reflexivity).
    eapply (moves_both _ _ _ s'); [reflexivity|reflexivity|]. rewrite HsI, HsR.
    assert (H := both eI1 t Hin' cond s' Hw Htaken). rewrite Ht in H. cbv zeta in H.
    destruct (H (fun _ _ => Has)) as (Hh & Ha). rewrite HeR1. rewrite <- Has in Hh, Ha |- *.
    apply (related_last s' b'); eauto. now rewrite Has.
  - assert (HsI : step I (Run b eI t) = Done kind v tR) by (simpl; rewrite EI, HlI; auto).
    destruct (term I b) as [| | |kind' e] eqn:HtI; try discriminate HlI.
    simpl in HlI. injection HlI as -> <-.
    assert (Hret : returned_at b eI1 = option_map (eval eI1) e)
      by (unfold returned_at; now rewrite HtI).
    destruct (term R (at_ G s)) as [| | |kindR v] eqn:HtR; destruct Hl as (_ & Hl).
    1-3: destruct (Hedge _ _ (Hl _ _ eq_refl) Logic.I) as (s' & Hw & Ht & HsR & Hh & Ha);
         [discriminate|]; eapply (moves_both _ _ _ s'); [reflexivity|reflexivity|];
         rewrite HsI, HsR; rewrite Hret in Hh;
         eapply related_end; [|exact Hh|exact Ha]; rewrite Ht; now destruct e.
    destruct (Hl _ _ eq_refl) as (<- & Hv).
    assert (HsR : step R (Run (at_ G s) eR t) = Done kind (option_map (eval eR1) v) tR)
      by (simpl; rewrite ER, HtR; reflexivity).
    eapply moves_to_end; [exact HsI|]. rewrite HsR.
    now rewrite (same_value_sound eI1 eR1 _ _ Hin Hv).
Qed.

End Both.

(** In a block without instructions of the client: what the claims say holds at its end, too. *)
Lemma passing_exec : forall t, client G (at_ G s) = false -> (forall l, to G s <> ToLast l) ->
  let eR1 := fst (exec R (insts R (at_ G s)) (eR, t)) in
  exec R (insts R (at_ G s)) (eR, t) = (eR1, t)
  /\ (forall v, ~ result_of R (at_ G s) v -> eval eR1 v = eval eR v)
  /\ holds s eI eR1 r /\ agree s eI eR1.
Proof.
  intros t Hc Hl eR1.
  assert (Hsame : forall v, ~ result_of R (at_ G s) v -> eval eR1 v = eval eR v)
    by (intros v Hv; now apply exec_unchanged).
  split; [|split; [exact Hsame|split]].
  - rewrite (surjective_pairing (exec _ _ _)). fold eR1. f_equal. apply exec_inserted_only.
    intros i Hi. exact (other_blocks _ _ _ _ _ acc _ _ Hc Hi).
  - intros c v H. apply (sem_ext R c v v eI eR); [symmetry; apply Hsame|exact (Hholds _ _ H)].
    exact (all_fresh _ _ _ _ _ acc _ _ _ H Hl).
  - intros e He. rewrite (Hagree e He). symmetry. apply Hsame.
    destruct He as (d & sd & Hd & Hp & He). destruct e as [| | | |i k]; try (simpl; auto; fail).
    intros Hr. destruct (itself_client d sd i Hd Hp He) as (_ & _ & Hcl).
    assert (H := other_blocks _ _ _ _ _ acc _ _ Hc Hr). congruence.
Qed.

(** Over an edge of the result *)
Lemma passing : forall s' t,
  client G (at_ G s) = false -> (forall l, to G s <> ToLast l) ->
  way G s Result s' -> to G s' = to G s ->
  let eR1 := fst (exec R (insts R (at_ G s)) (eR, t)) in
  let eR2 := enter R (at_ G s) (at_ G s') eR1 in
  holds s' eI eR2 r /\ agree s' eI eR2.
Proof.
  intros s' t Hc Hl Hw Ht eR1 eR2.
  destruct (passing_exec t Hc Hl) as (_ & Hsame & Hh1 & Ha1). fold eR1 in Hsame, Hh1, Ha1.
  assert (Hh : holds s' eI eR2 r).
  { intros c v Hcl. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hcl). simpl in Hf.
    assert (Hs := in_passing_sound s eI (eR, t) r c _ Hh1 Ha1 Hf). cbv zeta in Hs. fold eR1 in Hs.
    unfold eR2. destruct c; simpl in *; rewrite ?eval_enter; exact Hs. }
  split; [exact Hh|]. apply (agree_next s s' eI eR1 _ _ _ Hh); auto.
  - exact (agree_result s eI eR1 Ha1).
  - intros d id sd Hd Hp Hcl Hna Hnt. split; [reflexivity|]. split.
    + unfold eR2. rewrite eval_enter. now rewrite before_other.
    + apply (agree_phi s eI eR1 d sd id Ha1 Hd Hp Hcl). right. split.
      * intros Ea. destruct (itself_pair _ _ _ _ _ acc d Hd) as (Hc' & _). congruence.
      * now rewrite <- Ht.
Qed.

(** Over an empty block of the input *)
Lemma waiting : forall b b' s' (s0 : env * trace),
  ahead (to G s) = Some b -> ~ itself G b ->
  way G s Input s' -> at_ G s' = at_ G s -> to G s' = with_block (to G s) b' ->
  (forall l, to G s = ToLast l -> eR = fst (exec R (insts R (at_ G s)) s0)) ->
  holds s' (enter I b b' eI) eR r /\ agree s' (enter I b b' eI) eR.
Proof.
  intros b b' s' s0 Hb Hn Hw Ha Ht HeR.
  assert (Hb' : ahead (to G s') = Some b') by (rewrite Ht; now destruct (to G s)).
  assert (Hh : holds s' (enter I b b' eI) eR r).
  { intros c v Hcl. assert (Hf := all_follow _ _ _ _ _ acc _ _ _ _ _ Hw Hcl). simpl in Hf.
    destruct Hf as (b0 & Hb0 & Hf). rewrite Hb in Hb0. injection Hb0 as <-.
    assert (Hs : sem (claim_before I b (to G s') c) v eI eR r).
    { destruct (to G s) as [b0|b0|] eqn:Hto; [| |discriminate].
      - assert (Hnr : ~ result_of R (at_ G s) v).
        { rewrite <- Ha. apply (all_fresh _ _ _ _ _ acc _ _ _ Hcl). rewrite Ht. discriminate. }
        destruct Hf as [c' v x y z is_true (i & k & -> & Hi & _) _ _ | c' v Hd | e v H | c' v H].
        + now elim Hnr.
        + now apply decides_sound.
        + exact (equal_sound s e v eI eR r Hholds Hagree H).
        + exact (Hholds _ _ H).
      - specialize (HeR b0 eq_refl). assert (Hh := Hholds). assert (Hg := Hagree).
        rewrite HeR in Hh, Hg |- *. exact (in_passing_sound s eI s0 r _ v Hh Hg Hf). }
    apply sem_before in Hs. unfold input_at in Hs. now rewrite Hb' in Hs. }
  split; [exact Hh|]. apply (agree_next s s' eI eR _ _ _ Hh); auto.
  - exact (agree_result s eI eR Hagree).
  - intros d id sd Hd Hp Hcl Hna Hnt. split; [|split; [reflexivity|]].
    + rewrite eval_enter, before_other; congruence.
    + apply (agree_phi s eI eR d sd id Hagree Hd Hp Hcl). right. split; [congruence|].
      rewrite Hb. intros [= ->]. now apply Hn.
Qed.

End Move.

Lemma step_empty : forall b e t b', insts I b = [] -> leave (term I b) e = Goto b' ->
  step I (Run b e t) = Run b' (enter I b b' e) t.
Proof. intros b e t b' Hi Hl. simpl. rewrite Hi. simpl. now rewrite Hl. Qed.

Lemma step_end : forall b e t kind v, insts I b = [] -> term I b = TExit kind v ->
  step I (Run b e t) = Done kind (option_map (eval e) v) t.
Proof. intros b e t kind v Hi Hl. simpl. rewrite Hi. simpl. now rewrite Hl. Qed.

Lemma leave_or_end : forall b e,
  (exists b', leave (term I b) e = Goto b' /\ successor I b b')
  \/ exists kind v, term I b = TExit kind v.
Proof.
  intros b e. destruct (leave (term I b) e) as [b'|kind v] eqn:H.
  - left. exists b'. split; [reflexivity|]. exact (leave_successor I b e b' H).
  - right. destruct (term I b); try discriminate. eauto.
Qed.

Lemma passes_moves : forall s cI cR, related s cI cR -> passes R G s ->
  exists s', way G s Result s' /\ related s' cI (step R cR) /\ exists b e t, cR = Run b e t.
Proof.
  intros s cI cR Hrel (next & need & s' & Hc & Hnl & Hb & Hneed & Hw & Has & Hts).
  exists s'. split; [exact Hw|].
  assert (Hstep : forall eI eR r t, holds s eI eR r -> agree s eI eR ->
    step R (Run (at_ G s) eR t) =
      Run (at_ G s') (enter R (at_ G s) (at_ G s')
        (fst (exec R (insts R (at_ G s)) (eR, t)))) t).
  { intros eI eR r t Hh Ha.
    destruct (passing_exec s eI eR r Hh Ha t Hc Hnl) as (Hx & _ & Hh1 & _).
    simpl. rewrite Hx at 1. cbv zeta.
    rewrite (branches_sound s next need (eR, t) eI r Hb); [now rewrite Has|].
    destruct need as [[c v]|]; [|exact Logic.I]. exact (Hh1 _ _ Hneed). }
  destruct Hrel as [s b eI eR t Ht (r & Hh) Ha | s b eI s0 t kind v eR Ht
                   | s kind r eI eR t Ht Hh Ha].
  - rewrite (Hstep eI eR r t Hh Ha). split; [|eauto].
    destruct (passing s eI eR r Hh Ha s' t Hc Hnl Hw Hts) as (Hh' & Ha').
    apply related_block; [congruence|eauto|exact Ha'].
  - now elim (Hnl b).
  - rewrite (Hstep eI eR r t Hh Ha). split; [|eauto].
    destruct (passing s eI eR r Hh Ha s' t Hc Hnl Hw Hts) as (Hh' & Ha').
    apply (related_end s' kind r eI); [congruence|exact Hh'|exact Ha'].
Qed.

Lemma related_moves : forall s cI cR,
  in_order_at I cI -> related s cI cR -> moves s cI cR.
Proof.
  intros s cI cR Hord Hrel.
  destruct (all_leave _ _ _ _ _ acc s) as
    [b Hp Ht Hi Hl | Hpass | b Hb Hemp Hne Hn Hall | b kind v e Hc HtR Hb Hemp HtI Hv
    | kind v Hc HtR Ht Hv | b Hc Ht Hemp Hn Hl].
  - destruct Hrel as [s b0 eI eR t Ht' (r & Hh) Ha | |]; try congruence.
    assert (b0 = b) as -> by congruence.
    apply (moves_pair s eI eR r Hh Ha b); auto; [exact (proj1 Hl)|].
    intros Hb. rewrite (Hi Hb) in Hp. exact Hp.
  - destruct (passes_moves s cI cR Hrel Hpass) as (s' & Hw & H & _).
    exact (moves_result _ _ _ s' Hw H).
  - destruct Hrel as [s b0 eI eR t Ht' (r & Hh) Ha | s b0 eI s0 t kind v eR Ht' HtR (r & Hh) Ha
                     | s kind r eI eR t Ht' Hh Ha]; rewrite Ht' in Hb; try discriminate;
      simpl in Hb; injection Hb as ->;
      (destruct (leave_or_end b eI) as [(b' & Hg & Hs)|(k' & e' & He)]; [|now elim (Hne k' e')]);
      destruct (Hall b' Hs) as (s' & Hw & Has & Hts);
      (eapply (moves_input _ _ _ s'); [reflexivity|exact Hw|]);
      rewrite (step_empty b eI t b' Hemp Hg).
    + destruct (waiting s eI eR r Hh Ha b b' s' (eR, t)) as (Hh' & Ha'); auto;
        [now rewrite Ht'|intros l Hl; congruence|].
      rewrite <- Has. rewrite Ht' in Hts. apply related_block; eauto.
    + destruct (waiting s eI eR r Hh Ha b b' s' s0) as (Hh' & Ha'); auto;
        [now rewrite Ht'|].
      rewrite Ht' in Hts. unfold eR in *. rewrite <- Has in *.
      apply (related_last s' b'); eauto.
  - destruct Hrel as [s b0 eI eR t Ht' (r & Hh) Ha | s b0 eI s0 t kind' v' eR Ht' HtR' (r & Hh) Ha
                     | s kind' r eI eR t Ht' Hh Ha]; rewrite Ht' in Hb; try discriminate;
      simpl in Hb; injection Hb as ->.
    + assert (Hc' : client G (at_ G s) = false) by (destruct Hc; [assumption|congruence]).
      assert (Hnl : forall l, to G s <> ToLast l) by (intros l; congruence).
      destruct (passing_exec s eI eR r Hh Ha t Hc' Hnl) as (Hx & _ & Hh1 & _).
      eapply moves_to_end; [exact (step_end b eI t kind e Hemp HtI)|].
      simpl. rewrite Hx, HtR. simpl. f_equal.
      destruct e as [e|], v as [v|]; try contradiction; [|reflexivity]. simpl. f_equal.
      symmetry. exact (Hh1 _ _ Hv).
    + rewrite HtR in HtR'. injection HtR' as <- <-.
      eapply moves_to_end; [exact (step_end b eI t kind e Hemp HtI)|]. simpl. f_equal.
      destruct e as [e|], v as [v|]; try contradiction; [|reflexivity]. simpl. f_equal.
      symmetry. exact (Hh _ _ Hv).
  - destruct Hrel as [s b0 eI eR t Ht' | s b0 eI s0 t kind' v' eR Ht'
                     | s kind' r eI eR t Ht' Hh Ha];
      try congruence. rewrite Ht in Ht'. injection Ht' as <- Hsome.
    assert (Hnl : forall l, to G s <> ToLast l) by (intros l; congruence).
    destruct (passing_exec s eI eR r Hh Ha t Hc Hnl) as (Hx & _ & Hh1 & _).
    eapply moves_to_end; [reflexivity|]. simpl. rewrite Hx, HtR. simpl. f_equal.
    destruct v as [v|]; simpl in *; [|now destruct r]. symmetry. exact (Hh1 _ _ Hv).
  - destruct Hrel as [s b0 eI eR t Ht' (r & Hh) Ha | |]; try congruence.
    assert (b0 = b) as -> by congruence.
    apply (moves_pair s eI eR r Hh Ha b); auto; [exact (proj1 Hl)|].
    intros Hb. now elim Hn.
Qed.

Lemma related_first : forall e, related (start G) (Run entry e []) (Run first e []).
Proof.
  intros e. rewrite <- (start_at _ _ _ _ _ acc).
  apply related_block.
  - exact (start_to _ _ _ _ _ acc).
  - exists None. intros c v Hc.
    destruct (start_claims _ _ _ _ _ acc _ _ Hc) as (Hv & ->). reflexivity.
  - intros v _. reflexivity.
Qed.

End Sound.
