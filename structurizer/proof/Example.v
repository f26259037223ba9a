(** The premises can be met: a result with a selector is accepted.

    The input branches from 0 to 1 or 2. The result passes the inserted blocks 3 or 4, and 5, where
    a selector decides. *)

From Coq Require Import List Arith NArith Bool Lia.
Import ListNotations.
From Trellis Require Import Machine Check.

Section Example.
Context {M : Model}.
Variables p0 p1 p2 : payload.

Let condition_ := VRes 0 0.
Let selector := VPhi 5 0.

Definition kinds (i : inst) : inst_kind :=
  match i with
  | 0 => Client p0
  | 1 => Client p1
  | 2 => Client p2
  | _ => Test LessEqual 1
  end.

Definition input : func := {|
  insts b := match b with 0 => [0] | 1 => [1] | 2 => [2] | _ => [] end;
  kind_of := kinds;
  uses i := match i with 1 => [condition_] | _ => [] end;
  term b := match b with
    | 0 => TCond condition_ 1 2
    | 2 => TExit 0 (Some condition_)
    | _ => TExit 1 None
    end;
  operand _ _ _ := None
|}.

Definition result : func := {|
  insts b := match b with 0 => [0] | 1 => [1] | 2 => [2] | 5 => [3] | _ => [] end;
  kind_of := kinds;
  uses i := match i with 1 => [condition_] | 3 => [selector] | _ => [] end;
  term b := match b with
    | 0 => TCond condition_ 3 4
    | 3 | 4 => TBranch 5
    | 5 => TCond (VRes 3 0) 1 2
    | 2 => TExit 0 (Some condition_)
    | _ => TExit 1 None
    end;
  operand b id pred := match b, pred with
    | 5, 3 => Some (VSel 1)
    | 5, 4 => Some (VSel 2)
    | _, _ => None
    end
|}.

(** The pairs 0, 1 and 2; the others on the way to 1 or 2. *)
Inductive states := S0 | S1 | S2 | S3 | S4 | S5 (is_first : bool).

Inductive ways : states -> move -> states -> Prop :=
| way03 : ways S0 (Both (Is true)) S3
| way04 : ways S0 (Both (Is false)) S4
| way35 : ways S3 Result (S5 true)
| way45 : ways S4 Result (S5 false)
| way51 : ways (S5 true) Result S1
| way52 : ways (S5 false) Result S2.

Definition lists : graph := {|
  state := states;
  at_ s := match s with S0 => 0 | S1 => 1 | S2 => 2 | S3 => 3 | S4 => 4 | S5 _ => 5 end;
  to s := match s with
    | S0 => ToBlock 0
    | S1 | S3 | S5 true => ToBlock 1
    | S2 | S4 | S5 false => ToBlock 2
    end;
  start := S0;
  way := ways;
  pair b := match b with 0 => Some S0 | 1 => Some S1 | 2 => Some S2 | _ => None end;
  matched s := match s with S0 => [(0, 0)] | S1 => [(1, 1)] | S2 => [(2, 2)] | _ => [] end;
  client b := Nat.ltb b 3;
  itself b := b < 3;
  claimed s c v := exists b, s = S5 b /\ c = CTest LessEqual 1 b /\ v = selector
|}.

Lemma once_condition : forall s, once input lists s condition_.
Proof. intros s. exists 0, S0. simpl. repeat split; auto with arith. Qed.

Lemma pairs_same : forall s b, s = S0 /\ b = 0 \/ s = S1 /\ b = 1 \/ s = S2 /\ b = 2 ->
  same_instructions input result lists s b.
Proof.
  intros s b [(-> & ->)|[(-> & ->)|(-> & ->)]]; (split; [reflexivity|split; [reflexivity|]]);
    (constructor; [split; [reflexivity|]|constructor]); simpl.
  1, 3: constructor.
  constructor; [|constructor]. right. split; [intros [H|[]]; discriminate H|].
  right. left. split; [apply once_condition|reflexivity].
Qed.

Theorem is_accepted : accepted input result 0 0 lists.
Proof.
  constructor; try reflexivity.
  - intros c v (b & H & _). discriminate H.
  - intros s. destruct s as [| | | | |b].
    + apply (leaves_pair input result lists _ 0); try reflexivity; auto.
      split; [now apply pairs_same; auto|].
      simpl. split; [|intros k e H; discriminate H].
      assert (Hown : equal_at_end input lists S0 0 condition_ condition_).
      { left. exists 0, 0, 0. simpl. auto. }
      intros cond b' He.
      destruct He as [? H|? ? H|v x y Hne H|v x y Hne H|? ? ? ? ? H|? ? ? H]; simpl in H;
        try discriminate H; [congruence| |]; injection H as <- <- <-.
      * exists 3, (Some (CIs true, condition_)), S3.
        split; [now apply (branches_is result 0 condition_ 3 4 true)|].
        split; [|split; [constructor|split; reflexivity]].
        now apply (at_end_is _ _ _ _ _ _ _ condition_).
      * exists 4, (Some (CIs false, condition_)), S4.
        split; [now apply (branches_is result 0 condition_ 3 4 false)|].
        split; [|split; [constructor|split; reflexivity]].
        now apply (at_end_is _ _ _ _ _ _ _ condition_).
    + apply (leaves_pair input result lists _ 1); try reflexivity; auto.
      split; [apply pairs_same; auto|].
      simpl. split.
      * intros cond b' He. inversion He; discriminate.
      * intros k e [= <- <-]. now split.
    + apply (leaves_pair input result lists _ 2); try reflexivity; auto.
      split; [apply pairs_same; auto|].
      simpl. split.
      * intros cond b' He. inversion He; discriminate.
      * intros k e [= <- <-]. split; [reflexivity|].
        right. split; [intros [H|[]]; discriminate H|].
        right. left. split; [apply once_condition|reflexivity].
    + apply leaves_passing. exists 5, None, (S5 true).
      repeat split; try constructor; try discriminate; reflexivity.
    + apply leaves_passing. exists 5, None, (S5 false).
      repeat split; try constructor; try discriminate; reflexivity.
    + apply leaves_passing. destruct b.
      * exists 1, (Some (CTest LessEqual 1 true, selector)), S1.
        split; [reflexivity|]. split; [discriminate|].
        split; [|split; [now exists true|split; [constructor|split; reflexivity]]].
        apply (branches_test result 5 (VRes 3 0) LessEqual 1 selector 1 2 true); [reflexivity|].
        exists 3, 0. simpl. auto.
      * exists 2, (Some (CTest LessEqual 1 false, selector)), S2.
        split; [reflexivity|]. split; [discriminate|].
        split; [|split; [now exists false|split; [constructor|split; reflexivity]]].
        apply (branches_test result 5 (VRes 3 0) LessEqual 1 selector 1 2 false); [reflexivity|].
        exists 3, 0. simpl. auto.
  - intros s c v (b & -> & -> & ->) _ H. exact H.
  - intros s m s' c v Hw (b & -> & -> & ->).
    inversion Hw; subst; apply in_passing_decides; reflexivity.
  - intros b i Hc Hi. simpl in *. 
    do 6 (destruct b as [|b]; [simpl in *; try discriminate; try contradiction|]); [|contradiction].
    destruct Hi as [<-|[]]. reflexivity.
  - intros s i i' H. 
    destruct s; simpl in H; destruct H as [[= <- <-]|[]] || contradiction; reflexivity.
  - intros d Hd. simpl in Hd. 
    do 3 (destruct d as [|d];
      [split; [reflexivity|split; [reflexivity|]]; eexists; repeat split|]).
    lia.
  - exists (fun s : states => match s with S3 | S4 => 2 | S5 _ => 1 | _ => 0 end), (fun _ => false).
    split; [discriminate|]. intros s m s' Hw. destruct Hw; simpl; auto with arith.
Qed.

End Example.

Print Assumptions is_accepted.
