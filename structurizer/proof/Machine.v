(** Functions of the structurizer's IR, and how an invocation runs them. *)

From Coq Require Import List Arith NArith Bool.
Import ListNotations.

(** Blocks and instructions are numbers, as in the Rust code. *)
Definition block := nat.
Definition inst := nat.

(** A value with its kind: two values are the same if [ValueKind] and number are. *)
Inductive value :=
| VConst (id : nat) (** [Constant] and [Undef]: one denotation each *)
| VSel (number : N) (** [SelectorConstant] *)
| VBool (is_true : bool) (** [BoolConstant] *)
| VPhi (b : block) (id : nat) (** [Phi] of a block *)
| VRes (i : inst) (index : nat). (** [Result] of an instruction *)

Definition is_constant (v : value) : Prop :=
  match v with VConst _ | VSel _ | VBool _ => True | _ => False end.

(** [SelectorOp] *)
Inductive op := LessEqual | Equal.

Definition compare (o : op) (number bound : N) : bool :=
  match o with
  | LessEqual => N.leb number bound
  | Equal => N.eqb number bound
  end.

(** [Terminator]. [BreakBranch] is a branch to its target. [Return], [Kill] and [Unreachable] are
    exits of different kinds, with or without a value. A switch takes the first case with the
    literal: literals are distinct, which [verify] checks. *)
Inductive terminator :=
| TBranch (next : block)
| TCond (condition : value) (then_ else_ : block)
| TSwitch (v : value) (default : block) (cases : list (N * block))
| TExit (kind : nat) (v : option value).

Fixpoint lookup (cases : list (N * block)) (number : N) : option block :=
  match cases with
  | [] => None
  | (literal, next) :: cases => if N.eqb literal number then Some next else lookup cases number
  end.

Definition select (default : block) (cases : list (N * block)) (number : N) : block :=
  match lookup cases number with Some next => next | None => default end.

(** What the client's code means: arbitrary, but for the constants and tests of the structurizer. *)
Class Model := {
  (** What an instruction is but for its operands: payload, effects and types of results. *)
  payload : Type;
  denotation : Type;
  (** How a conditional branch reads a value, and how a switch or a selector test does. *)
  truth : denotation -> bool;
  number : denotation -> N;
  of_const : nat -> denotation;
  of_bool : bool -> denotation;
  of_number : N -> denotation;
  truth_of_bool : forall b, truth (of_bool b) = b;
  number_of_number : forall n, number (of_number n) = n;
  (** The results of an instruction: they depend on everything that the invocation ran before. *)
  results : payload -> list denotation -> list (payload * list denotation) -> nat -> denotation
}.

Section Machine.
Context {M : Model}.

Inductive inst_kind :=
| Client (p : payload)
| Test (o : op) (bound : N) (** [SelectorTest] *)
| Select.

Record func := {
  insts : block -> list inst;
  kind_of : inst -> inst_kind;
  uses : inst -> list value;
  term : block -> terminator;
  (** The operand of a phi of a block for a predecessor. *)
  operand : block -> nat -> block -> option value
}.

(** Instructions are in one place, as the IR's lists are. *)
Definition well_formed (f : func) : Prop :=
  (forall b, NoDup (insts f b))
  /\ (forall i b b', In i (insts f b) -> In i (insts f b') -> b = b').

(** Within a block, instructions use results of earlier ones only: a part of the SSA form. *)
Definition in_order (f : func) (b : block) : Prop :=
  forall before i after j k,
    insts f b = before ++ i :: after -> In (VRes j k) (uses f i) -> In j (insts f b) -> In j before.

(** The values of phis and results. What is not defined yet has any denotation. *)
Definition env := value -> denotation.

Definition eval (e : env) (v : value) : denotation :=
  match v with
  | VConst id => of_const id
  | VSel n => of_number n
  | VBool b => of_bool b
  | _ => e v
  end.

Definition event : Type := payload * list denotation.
Definition trace := list event.

Definition define (e : env) (i : inst) (d : nat -> denotation) : env :=
  fun v => match v with
    | VRes j k => if Nat.eqb j i then d k else e v
    | _ => e v
    end.

(** The result of an instruction of the structurizer. *)
Definition inserted (kind : inst_kind) (args : list denotation) : denotation :=
  match kind, args with
  | Test o bound, d :: _ => of_bool (compare o (number d) bound)
  | Select, [c; x; y] => if truth c then x else y
  | _, _ => of_bool false
  end.

Definition exec1 (f : func) (s : env * trace) (i : inst) : env * trace :=
  let (e, t) := s in
  let args := map (eval e) (uses f i) in
  match kind_of f i with
  | Client p => (define e i (results p args t), t ++ [(p, args)])
  | kind => (define e i (fun _ => inserted kind args), t)
  end.

Definition exec (f : func) (is : list inst) (s : env * trace) : env * trace :=
  fold_left (exec1 f) is s.

(** What a value after the phis of a block is at the end of a predecessor: [Operands::before]. A phi
    without an operand keeps its value; the checks of both functions reject those. *)
Definition before (f : func) (pred b : block) (v : value) : value :=
  match v with
  | VPhi b' id =>
      if Nat.eqb b' b
      then match operand f b id pred with Some u => u | None => v end
      else v
  | _ => v
  end.

(** The phis of a block take their operands at once. *)
Definition enter (f : func) (pred b : block) (e : env) : env :=
  fun v => eval e (before f pred b v).

(** An invocation after the phis of a block, or after its end. *)
Inductive config :=
| Run (b : block) (e : env) (t : trace)
| Done (kind : nat) (v : option denotation) (t : trace).

Definition trace_of (c : config) : trace :=
  match c with Run _ _ t | Done _ _ t => t end.

Inductive next :=
| Goto (b : block)
| Stop (kind : nat) (v : option denotation).

Definition leave (t : terminator) (e : env) : next :=
  match t with
  | TBranch b => Goto b
  | TCond c b b' => Goto (if truth (eval e c) then b else b')
  | TSwitch v default cases => Goto (select default cases (number (eval e v)))
  | TExit kind v => Stop kind (option_map (eval e) v)
  end.

Definition step (f : func) (c : config) : config :=
  match c with
  | Run b e t =>
      let (e, t) := exec f (insts f b) (e, t) in
      match leave (term f b) e with
      | Goto b' => Run b' (enter f b b' e) t
      | Stop kind v => Done kind v t
      end
  | Done _ _ _ => c
  end.

Fixpoint run (f : func) (n : nat) (c : config) : config :=
  match n with O => c | S n => step f (run f n c) end.

(** Facts. *)

Definition result_of (f : func) (b : block) (v : value) : Prop :=
  match v with VRes i _ => In i (insts f b) | _ => False end.

Lemma eval_define_other : forall e i d v,
  (forall k, v <> VRes i k) -> eval (define e i d) v = eval e v.
Proof.
  intros e i d v H. destruct v; simpl; auto.
  destruct (Nat.eqb_spec i0 i) as [->|]; auto. now elim (H index).
Qed.

Lemma eval_define_same : forall e i d k, eval (define e i d) (VRes i k) = d k.
Proof. intros. simpl. now rewrite Nat.eqb_refl. Qed.

Lemma eval_enter : forall f p b e v, eval (enter f p b e) v = eval e (before f p b v).
Proof. intros f p b e v. destruct v; reflexivity. Qed.

Lemma exec1_other : forall f s i v,
  (forall k, v <> VRes i k) -> eval (fst (exec1 f s i)) v = eval (fst s) v.
Proof.
  intros f [e t] i v H. unfold exec1. destruct (kind_of f i); apply eval_define_other; auto.
Qed.

Lemma exec_other : forall f is s v,
  (forall i k, v = VRes i k -> ~ In i is) -> eval (fst (exec f is s)) v = eval (fst s) v.
Proof.
  induction is as [|i is IH]; intros s v H; [reflexivity|].
  change (exec f (i :: is) s) with (exec f is (exec1 f s i)).
  rewrite IH.
  - apply exec1_other. intros k ->. apply (H i k); simpl; auto.
  - intros j k -> Hin. apply (H j k); simpl; auto.
Qed.

Lemma exec_unchanged : forall f b s v,
  ~ result_of f b v -> eval (fst (exec f (insts f b) s)) v = eval (fst s) v.
Proof. intros f b s v H. apply exec_other. intros i k -> Hin. exact (H Hin). Qed.

Definition is_client (f : func) (i : inst) : bool :=
  match kind_of f i with Client _ => true | _ => false end.

Lemma exec_inserted_only : forall f is s,
  (forall i, In i is -> is_client f i = false) -> snd (exec f is s) = snd s.
Proof.
  induction is as [|i is IH]; intros s H; [reflexivity|].
  change (exec f (i :: is) s) with (exec f is (exec1 f s i)).
  rewrite IH; [|intros; apply H; simpl; auto].
  specialize (H i (or_introl eq_refl)). unfold is_client in H. destruct s as [e t].
  unfold exec1. destruct (kind_of f i); [discriminate|reflexivity|reflexivity].
Qed.

(** The result of an instruction of the structurizer, by its operands at the end of the block. *)
Lemma exec_inserted : forall f b s i k,
  NoDup (insts f b) -> in_order f b -> In i (insts f b) -> is_client f i = false ->
  let e := fst (exec f (insts f b) s) in
  eval e (VRes i k) = inserted (kind_of f i) (map (eval e) (uses f i)).
Proof.
  intros f b s i k Hnd Hord Hin Hkind e.
  apply in_split in Hin as (l1 & l2 & Hl).
  assert (He : e = fst (exec f l2 (exec1 f (exec f l1 s) i))).
  { unfold e. rewrite Hl. unfold exec. now rewrite fold_left_app. }
  assert (Hnd' := Hnd). rewrite Hl in Hnd'.
  assert (Hi : eval e (VRes i k) = eval (fst (exec1 f (exec f l1 s) i)) (VRes i k)).
  { rewrite He. apply exec_other. intros j k' [= <- <-] Hj.
    apply NoDup_remove_2 in Hnd'. apply Hnd', in_or_app; auto. }
  assert (Hargs : map (eval e) (uses f i) = map (eval (fst (exec f l1 s))) (uses f i)).
  { apply map_ext_in. intros u Hu.
    assert (He2 : e = fst (exec f (i :: l2) (exec f l1 s))) by exact He.
    rewrite He2. apply exec_other. intros j k' -> Hj.
    assert (Hjb : In j (insts f b)) by (rewrite Hl; apply in_or_app; auto).
    assert (Hj1 := Hord _ _ _ _ _ Hl Hu Hjb).
    apply in_split in Hj1 as (m1 & m2 & ->). rewrite <- app_assoc in Hnd'.
    apply NoDup_remove_2 in Hnd'. apply Hnd'. apply in_or_app. right. apply in_or_app. auto. }
  rewrite Hi, Hargs. destruct (exec f l1 s) as [e1 t1]. unfold exec1. cbn [fst].
  unfold is_client in Hkind.
  destruct (kind_of f i); [discriminate| |]; simpl; now rewrite Nat.eqb_refl.
Qed.

Lemma run_shift : forall f n c, run f (S n) c = run f n (step f c).
Proof. induction n; intros c; simpl in *; [reflexivity|]. now rewrite IHn. Qed.

End Machine.
