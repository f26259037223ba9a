(** What [Checker::check] (src/equivalence) has established when it accepts a result: its states,
    ways and claims, closed under its rules. Each definition names the function in Rust whose rules
    it has. The worklists that find the sets are not modelled: any closed sets are right. *)

From Coq Require Import List Arith NArith Bool.
Import ListNotations.
From Trellis Require Import Machine Ssa.

(** [Target]: what the invocation is on the way to in the input. *)
Inductive target :=
| ToBlock (b : block)
| ToLast (b : block)
| ToEnd (kind : nat) (has_value : bool).

(** [Target::block] *)
Definition ahead (t : target) : option block :=
  match t with ToBlock b | ToLast b => Some b | ToEnd _ _ => None end.

Definition with_block (t : target) (b : block) : target :=
  match t with ToLast _ => ToLast b | _ => ToBlock b end.

(** [Condition] *)
Inductive condition :=
| Always
| Is (is_true : bool)
| Case (literal : option N).

(** [Step] *)
Inductive move :=
| Both (c : condition)
| Result
| Input.

(** [Claim] *)
Inductive claim :=
| CInput (expected : value)
| CIs (is_true : bool)
| CTest (o : op) (bound : N) (is_true : bool)
| CCase (switch next : block)
| CReturned.

Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

Section Check.
Context {M : Model}.
Variables I R : func. (* the input and the result *)
Variables entry first : block. (* their first blocks *)

(** The lists of a [Checker]. *)
Record graph := {
  state : Type;
  at_ : state -> block; (** [StateData::at] *)
  to : state -> target; (** [StateData::to] *)
  start : state;
  way : state -> move -> state -> Prop; (** [WayData] *)
  pair : block -> option state; (** [Checker::pairs] *)
  (** Instructions of the input and of the result: [copies], or the same *)
  matched : state -> list (inst * inst);
  client : block -> bool; (** [is_of_client] *)
  itself : block -> Prop; (** there is a pair, and not [is_elsewhere] *)
  (** What [follow] has followed: [Claims::known] and [is_itself] *)
  claimed : state -> claim -> value -> Prop
}.

Variable G : graph.
Implicit Types s : state G.

(** [empty_step] *)
Definition empty_step (b b' : block) : Prop :=
  insts I b = [] /\ successor I b b' /\ forall b'', successor I b b'' -> b'' = b'.

(** The edges that [leave_pair] follows, each with its condition. *)
Inductive edge (b : block) : condition -> block -> Prop :=
| edge_branch b' : term I b = TBranch b' -> edge b Always b'
| edge_same v b' : term I b = TCond v b' b' -> edge b Always b'
| edge_then v b' b'' : b' <> b'' -> term I b = TCond v b' b'' -> edge b (Is true) b'
| edge_else v b' b'' : b' <> b'' -> term I b = TCond v b' b'' -> edge b (Is false) b''
| edge_case v d cases l b' :
    term I b = TSwitch v d cases -> In (l, b') cases -> edge b (Case (Some l)) b'
| edge_default v d cases : term I b = TSwitch v d cases -> edge b (Case None) d.

(** The shortcut of [equal]: a value that is defined in one pair only is itself. Phis are claimed in
    that pair, and neither function may have run them alone. *)
Definition once s (e : value) : Prop :=
  exists d sd, itself G d /\ pair G d = Some sd /\
    match e with
    | VRes i _ => In i (insts I d)
    | VPhi d' _ =>
        d' = d /\ claimed G sd (CInput e) e
        /\ (s = sd \/ (at_ G s <> d /\ ahead (to G s) <> Some d))
    | _ => False
    end.

(** [equal] *)
Definition equal s (e v : value) : Prop :=
  (is_constant e /\ e = v) \/ (once s e /\ e = v) \/ claimed G s (CInput e) v.

(** [equal_at_end], in a state on the way to [b] *)
Definition equal_at_end s b (e v : value) : Prop :=
  (exists i i' k, In (i, i') (matched G s) /\ e = VRes i k /\ v = VRes i' k)
  \/ (~ result_of I b e /\ equal s e v).

(** [decides] *)
Definition decides (c : claim) (v : value) : Prop :=
  match c, v with
  | CIs b, VBool b' => b = b'
  | CTest o bound b, VSel n => compare o n bound = b
  | CCase switch next, VSel n =>
      exists x d cases, term R switch = TSwitch x d cases /\ select d cases n = next
  | _, _ => False
  end.

(** [takes] *)
Definition takes (switch next b : block) (literal : option N) : Prop :=
  exists x d cases x' d' cases',
    term R switch = TSwitch x d cases /\ term I b = TSwitch x' d' cases' /\
    match literal with
    | Some n => select d cases n = next
    | None =>
        d = next /\ forall n, lookup cases n <> None -> lookup cases' n <> None
    end.

(** The value that the terminator of a block of the input reads: [Terminator::value]. *)
Definition read (b : block) : option value :=
  match term I b with
  | TBranch _ => None
  | TCond v _ _ | TSwitch v _ _ => Some v
  | TExit _ v => v
  end.

(** [select]: the operands of a select of a block of the result *)
Definition selects (a : block) (v x y z : value) : Prop :=
  exists i k, v = VRes i k /\ In i (insts R a) /\ kind_of R i = Select /\ uses R i = [x; y; z].

(** [selector_test] *)
Definition tests (a : block) (v : value) (o : op) (bound : N) (selector : value) : Prop :=
  exists i k, v = VRes i k /\ In i (insts R a) /\ kind_of R i = Test o bound
              /\ uses R i = [selector].

(** [at_end] *)
Inductive at_end s b (cond : condition) : claim -> value -> Prop :=
| at_end_select c v x y z (is_true : bool) :
    selects (at_ G s) v x y z -> at_end s b cond (CIs is_true) x ->
    at_end s b cond c (if is_true then y else z) -> at_end s b cond c v
| at_end_decides c v : decides c v -> at_end s b cond c v
| at_end_input e v : equal_at_end s b e v -> at_end s b cond (CInput e) v
| at_end_is is_true e v :
    cond = Is is_true -> read b = Some e -> equal_at_end s b e v -> at_end s b cond (CIs is_true) v
| at_end_case switch next literal e v :
    cond = Case literal -> takes switch next b literal -> read b = Some e ->
    equal_at_end s b e v -> at_end s b cond (CCase switch next) v
| at_end_returned kind e v :
    term I b = TExit kind (Some e) -> equal_at_end s b e v -> at_end s b cond CReturned v.

(** [chooses] *)
Definition chooses s (x : value) (is_true : bool) : Prop :=
  claimed G s (CIs is_true) x
  \/ exists o bound selector, tests (at_ G s) x o bound selector
                             /\ claimed G s (CTest o bound is_true) selector.

(** [in_passing] *)
Inductive in_passing s : claim -> value -> Prop :=
| in_passing_select c v x y z (is_true : bool) :
    selects (at_ G s) v x y z -> chooses s x is_true ->
    in_passing s c (if is_true then y else z) -> in_passing s c v
| in_passing_decides c v : decides c v -> in_passing s c v
| in_passing_equal e v : equal s e v -> in_passing s (CInput e) v
| in_passing_claimed c v : claimed G s c v -> in_passing s c v.

(** [branch]: the result continues with a block, if the claim holds. By which way it was found, and
    [known], do not matter. *)
Inductive branches (a : block) : block -> option (claim * value) -> Prop :=
| branches_always b : term R a = TBranch b -> branches a b None
| branches_same v b : term R a = TCond v b b -> branches a b None
| branches_default v d : term R a = TSwitch v d [] -> branches a d None
| branches_test v o bound selector b b' (is_true : bool) :
    term R a = TCond v b b' -> tests a v o bound selector ->
    branches a (if is_true then b else b') (Some (CTest o bound is_true, selector))
| branches_is v b b' (is_true : bool) :
    term R a = TCond v b b' -> branches a (if is_true then b else b') (Some (CIs is_true, v))
| branches_case v d cases b :
    term R a = TSwitch v d cases -> branches a b (Some (CCase a b, v)).

(** [follow_edge] *)
Definition follow_edge s b (cond : condition) (t : target) : Prop :=
  exists next need s',
    branches (at_ G s) next need
    /\ match need with Some (c, v) => at_end s b cond c v | None => True end
    /\ way G s (Both cond) s' /\ at_ G s' = next /\ to G s' = t.

Definition same_value s b (e v : option value) : Prop :=
  match e, v with
  | Some e, Some v => equal_at_end s b e v
  | None, None => True
  | _, _ => False
  end.

(** [compare_instructions], and the operands in [check_values] *)
Definition same_instructions s b : Prop :=
  map fst (matched G s) = insts I b
  /\ map snd (matched G s) = filter (is_client R) (insts R (at_ G s))
  /\ Forall (fun m => kind_of I (fst m) = kind_of R (snd m)
                      /\ Forall2 (equal_at_end s b) (uses I (fst m)) (uses R (snd m)))
       (matched G s).

(** [leave_pair]. Where [is_same_branch], both claims about the condition hold if the values are equal, which
    [check_values] asks once. *)
Definition leave_pair s b : Prop :=
  same_instructions s b /\
  match term R (at_ G s) with
  | TExit kind v =>
      (forall cond b', edge b cond b' ->
        exists s', way G s (Both cond) s' /\ at_ G s' = at_ G s /\ to G s' = ToLast b')
      /\ (forall kind' e, term I b = TExit kind' e -> kind' = kind /\ same_value s b e v)
  | _ =>
      (forall cond b', edge b cond b' -> follow_edge s b cond (ToBlock b'))
      /\ (forall kind e, term I b = TExit kind e -> follow_edge s b Always (ToEnd kind (is_some e)))
  end.

(** [leave], if the result makes a step alone *)
Definition passes s : Prop :=
  exists next need s',
    client G (at_ G s) = false /\ (forall b, to G s <> ToLast b)
    /\ branches (at_ G s) next need
    /\ match need with Some (c, v) => claimed G s c v | None => True end
    /\ way G s Result s' /\ at_ G s' = next /\ to G s' = to G s.

(** [leave] *)
Inductive leaves s : Prop :=
| leaves_pair b :
    pair G (at_ G s) = Some s -> to G s = ToBlock b ->
    (itself G b -> at_ G s = b) ->
    leave_pair s b -> leaves s
| leaves_passing : passes s -> leaves s
(** [wait]: the input makes a step alone. *)
| leaves_waiting b :
    ahead (to G s) = Some b -> insts I b = [] -> (forall kind e, term I b <> TExit kind e) ->
    ~ itself G b ->
    (forall b', successor I b b' ->
      exists s', way G s Input s' /\ at_ G s' = at_ G s /\ to G s' = with_block (to G s) b') ->
    leaves s
(** [wait]: both end. *)
| leaves_to_end b kind v e :
    (client G (at_ G s) = false \/ to G s = ToLast b) -> term R (at_ G s) = TExit kind v ->
    ahead (to G s) = Some b -> insts I b = [] -> term I b = TExit kind e ->
    match e, v with
    | Some e, Some v => claimed G s (CInput e) v
    | None, None => True
    | _, _ => False
    end -> leaves s
| leaves_at_end kind v :
    client G (at_ G s) = false -> term R (at_ G s) = TExit kind v ->
    to G s = ToEnd kind (is_some v) ->
    match v with Some v => claimed G s CReturned v | None => True end -> leaves s
| leaves_with_empty b :
    client G (at_ G s) = false -> to G s = ToBlock b -> insts I b = [] -> ~ itself G b ->
    leave_pair s b -> leaves s.

(** [expected_before] over an edge of the input *)
Definition claim_before (b : block) (t : target) (c : claim) : claim :=
  match c, ahead t with
  | CInput e, Some b' => CInput (before I b b' e)
  | _, _ => c
  end.

(** [found_before]. A block that ends has no edge to itself. *)
Definition value_before s (s' : state G) (v : value) : value :=
  match to G s' with
  | ToLast _ => v
  | _ => before R (at_ G s) (at_ G s') v
  end.

(** [follow]: a claim over one way *)
Definition follows s (m : move) (s' : state G) (c : claim) (v : value) : Prop :=
  match m with
  | Both cond => exists b, to G s = ToBlock b
      /\ at_end s b cond (claim_before b (to G s') c) (value_before s s' v)
  | Result => in_passing s c (before R (at_ G s) (at_ G s') v)
  | Input => exists b, ahead (to G s) = Some b /\ in_passing s (claim_before b (to G s') c) v
  end.

(** [passes_without_end] *)
Inductive passes_blocks : nat -> block -> Prop :=
| passes_none b : passes_blocks 0 b
| passes_one n b b' : empty_step b b' -> passes_blocks n b' -> passes_blocks (S n) b.

(** The result is accepted. *)
Record accepted : Prop := {
  (** The first state; [check] *)
  start_at : at_ G (start G) = first;
  start_to : to G (start G) = ToBlock entry;
  (** [follow] of the way without a state before it *)
  start_claims : forall c v, claimed G (start G) c v -> is_constant v /\ c = CInput v;
  (** Control leaves each state, and each claim holds over each way. *)
  all_leave : forall s, leaves s;
  (** [claim]: a result of a block has its value of the last time there. *)
  all_fresh : forall s c v,
    claimed G s c v -> (forall b, to G s <> ToLast b) -> ~ result_of R (at_ G s) v;
  all_follow : forall s m s' c v, way G s m s' -> claimed G s' c v -> follows s m s' c v;
  (** [is_pair] and [is_of_client] *)
  other_blocks : forall b i, client G b = false -> In i (insts R b) -> is_client R i = false;
  (** [copies] are instructions of the client. *)
  all_matched : forall s i i', In (i, i') (matched G s) -> is_client R i' = true;
  (** A block that is itself is a block of the input, and has one pair of the same instructions
      ([compare_instructions]). *)
  itself_pair : forall d, itself G d ->
    client G d = true /\ insts I d = filter (is_client R) (insts R d)
    /\ exists s, pair G d = Some s /\ at_ G s = d /\ to G s = ToBlock d
                 /\ matched G s = map (fun i => (i, i)) (insts I d);
  (** [check_progress]: control reaches a pair or an end, unless both functions pass blocks without
      end. *)
  progress : exists (rank : state G -> nat) (endless : state G -> bool),
    (forall s, endless s = true ->
      passes s /\ exists b, ahead (to G s) = Some b /\ forall n, passes_blocks n b)
    /\ forall s m s', way G s m s' ->
         match m with
         | Both _ => True
         | Result => if endless s then endless s' = true else rank s' < rank s
         | Input => rank s' < rank s
         end
}.

End Check.
