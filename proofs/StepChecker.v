(** Certificates of chains, and the program that checks them; it is extracted to OCaml.

    Nothing here has to be believed: StepSoundness.v proves that an accepted chain is true. *)
From Coq Require Import List Bool Arith ZArith.
From Hopcheck Require Import Meaning Checker Published Steps.
Import ListNotations.

(** * Certificates *)

(** That some order, by its index, is not derivable: a monotone timeline; or for a simultaneity a set
    of points which no step leaves that is not strict. *)
Inductive counterexample := By_timeline (k : nat) (t : instants) | By_set (k : nat) (s : list point).

(** That orders are denied: a closed strict walk through them, whose indices follow those of the
    premise; or a walk that derives the complement of one. *)
Inductive denial := By_cycle (w : route) | By_complement (k : nat) (w : route).

(** That orders are not denied: a model; or, of a premise without one, a timeline against each
    complement. *)
Inductive permission := By_model (t : instants) | By_timelines (ts : list instants).

(** The parts of the certificate of a statement. Those of [carries] and [carries_not] are about the
    premise with the earlier wrong statements, whose indices follow those of the premise. *)
Inductive part :=
  | Shows (ws : list route)
  | Shows_not (x : counterexample)
  | Denies (d : denial)
  | Allows (a : permission)
  | Carries (ws : list route)
  | Carries_not (x : counterexample)
  | Places (t : instants)
  | Breaks (w : route).
Definition evidence := list part.

(** * Derivations *)

(** A walk of steps that are not strict. *)
Definition loose_walk (i : item) (p q : point) (w : route) : bool :=
  (fst w =? p) &&
  match follow i (fst w) (snd w) with Some (s, _, z) => negb s && (z =? q) | None => false end.

(** What a walk has to be for each inequality of an order. *)
Definition wanted (i : item) (r : relation) : list (route -> bool) :=
  match r with
  | (p, Simultaneous, q) => [loose_walk i p q; loose_walk i q p]
  | (p, o, q) =>
      map (fun x w => match derivation i x w with Some _ => true | None => false end)
        (compared p o q)
  end.

(** Each test with its walk. *)
Fixpoint pass (tests : list (route -> bool)) (ws : list route) : bool :=
  match tests, ws with
  | [], [] => true
  | test :: tests, w :: ws => test w && pass tests ws
  | _, _ => false
  end.

Definition derives_all (i : item) (rs : list relation) (ws : list route) : bool :=
  pass (flat_map (wanted i) rs) ws.

Definition listed (p : point) (s : list point) : bool := existsb (Nat.eqb p) s.

(** No step leaves the set, but for strict ones. *)
Definition closed (i : item) (s : list point) : bool :=
  forallb (fun '(p, strict, _, q) => strict || negb (listed p s) || listed q s) (steps i).

(** One of the orders is not derivable. *)
Definition derives_not (i : item) (rs : list relation) (x : counterexample) : bool :=
  match x with
  | By_timeline k t =>
      match nth_error rs k with
      | Some (p, o, q) =>
          monotone_on i t && existsb (fun x => counters i x t) (compared p o q)
      | None => false
      end
  | By_set k s =>
      match nth_error rs k with
      | Some (p, Simultaneous, q) => closed i s && xorb (listed p s) (listed q s)
      | _ => false
      end
  end.

(** The premise is consistent or not, as [b] says, and the orders are denied. *)
Definition denies (i : item) (b : bool) (rs : list relation) (d : denial) : bool :=
  match d with
  | By_cycle w =>
      b && match closed_walk (extended i rs) w with Some _ => true | None => false end
  | By_complement k w =>
      match nth_error rs k with
      | Some r => existsb
          (fun x => match derivation i x w with Some _ => true | None => false end) (complements r)
      | None => false
      end
  end.

(** The orders are not denied. *)
Definition allows (i : item) (b : bool) (rs : list relation) (a : permission) : bool :=
  match a with
  | By_model t => b && monotone_on (extended i rs) t && is_model (extended i rs) t
  | By_timelines ts =>
      negb b && forallb (monotone_on i) ts &&
      forallb (fun x => existsb (counters i x) ts) (flat_map complements rs)
  end.

(** A model with the points in the order of their instants. *)
Definition places (i : item) (a : list (point * Z)) (t : instants) : bool :=
  monotone_on i t && is_model i t &&
  forallb (fun '(p, x) => forallb (fun '(q, y) => Bool.eqb (x <? y) (at_ t p <? at_ t q)) a)%Z a.

(** A walk to which the instants do not keep. *)
Definition breaks (i : item) (a : list (point * Z)) (w : route) : bool :=
  match follow i (fst w) (snd w) with
  | Some (s, _, q) => existsb (fun '(p, x) => existsb (fun '(z, y) =>
      (p =? fst w) && (z =? q) && (if s then y <=? x else y <? x)%Z) a) a
  | None => false
  end.

(** * Statements *)

Definition same_judgement (v w : judgement) : bool := severity v =? severity w.

Definition same_order (o p : order) : bool :=
  match o, p with
  | Before, Before | After, After | Simultaneous, Simultaneous
  | Not_after, Not_after | Not_before, Not_before => true
  | _, _ => false
  end.

Definition same_relation (r s : relation) : bool :=
  let '(p, o, q) := r in
  let '(a, u, b) := s in (p =? a) && same_order o u && (q =? b).

Definition known (m : memory) (rs : list relation) : bool :=
  forallb (fun r => existsb (same_relation r) (given m) || existsb (same_relation (turned r)) (given m))
    rs.

(** The test of a part that decides a statement one way, for the parts that have it. *)
Definition some_part (e : evidence) (test : part -> bool) : bool := existsb test e.

Definition shown (i : item) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Shows ws => derives_all i rs ws | _ => false end).
Definition not_shown (i : item) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Shows_not y => derives_not i rs y | _ => false end).
Definition is_denied (i : item) (b : bool) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Denies d => denies i b rs d | _ => false end).
Definition is_allowed (i : item) (b : bool) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Allows a => allows i b rs a | _ => false end).
Definition is_carried (i : item) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Carries ws => derives_all i rs ws | _ => false end).
Definition not_carried (i : item) (rs : list relation) (e : evidence) : bool :=
  some_part e (fun x => match x with Carries_not y => derives_not i rs y | _ => false end).

(** The verdict on orders that are said to hold; [corrupt] is the premise with the wrong ones. *)
Definition check_holds (i : item) (b : bool) (m : memory) (rs : list relation) (v : judgement)
    (e : evidence) : bool :=
  let corrupt := extended i (wrong m) in
  match rs with [] => false | _ => true end &&
  Bool.eqb (known m rs) (same_judgement v Restated) &&
  match v with
  | Restated => true
  | Follows => shown i rs e
  | Contradicts => is_denied i b rs e && not_shown i rs e
  | Carried => not_shown i rs e && is_allowed i b rs e && is_carried corrupt rs e
  | Open =>
      not_shown i rs e && is_allowed i b rs e &&
      match wrong m with [] => true | _ => not_carried corrupt rs e end
  | _ => false
  end.

(** Whether another statement is right ([true]) or wrong, as [r] says. *)
Definition check_plain (i : item) (d : verdict) (s : statement) (r : bool) (e : evidence) : bool :=
  let b := its_consistency d in
  match s with
  | Does_not_hold rs => if r then is_denied i b rs e else is_allowed i b rs e
  | Possible rs => if r then is_allowed i b rs e else is_denied i b rs e
  | Not_derivable rs => if r then not_shown i rs e else shown i rs e
  | Left_open rs =>
      if r then not_shown i rs e && is_allowed i b rs e else is_denied i b rs e || shown i rs e
  | On_timeline a =>
      if r then some_part e (fun x => match x with Places t => places i a t | _ => false end)
      else negb b || some_part e (fun x => match x with Breaks w => breaks i a w | _ => false end)
  | Answer l => Bool.eqb r (same_label l (its_label d))
  | Claim_contradictory =>
      Bool.eqb r (match its_status d with Contradictory => true | _ => false end)
  | Premise_contradictory => Bool.eqb r (negb b)
  | Premise_consistent => Bool.eqb r b
  | _ => false
  end.

Definition taken_back (later : list statement) : bool :=
  existsb (fun s => match s with Takes_back => true | _ => false end) later.

Definition check_statement (i : item) (d : verdict) (m : memory) (later : list statement)
    (s : statement) (v : judgement) (e : evidence) : bool :=
  match v, s with
  | Unread, Unreadable => true
  | Withdrawn, Unreadable => false
  | Withdrawn, _ => taken_back later
  | Silent, (Assumed | Takes_back) => true
  | _, Holds rs => check_holds i (its_consistency d) m rs v e
  | Follows, _ => check_plain i d s true e
  | Contradicts, _ => check_plain i d s false e
  | _, _ => false
  end.

(** * Chains *)

(** Each statement with its verdict and evidence. *)
Definition account := list (statement * judgement * evidence).

Fixpoint check_all (i : item) (d : verdict) (m : memory) (a : account) : bool :=
  match a with
  | [] => true
  | (s, v, e) :: rest =>
      check_statement i d m (map (fun x => fst (fst x)) rest) s v e &&
      check_all i d (remember m s v) rest
  end.

Definition chain_of (steps : list (account * judgement)) (first : option nat) : chain :=
  Chain (map (fun '(a, v) => (map fst a, v)) steps) first.

(** The checker of a chain about an item, whose verdict has a certificate too. *)
Definition check_chain (i : item) (u : rule) (d : verdict) (c : certificate)
    (steps : list (account * judgement)) (first : option nat) : bool :=
  check_by i u d c &&
  check_all i d (Memory (premise i) []) (concat (map fst steps)) &&
  forallb (fun '(a, v) => same_judgement v (worst (map (fun x => snd (fst x)) a))) steps &&
  same_number first (first_erroneous (judgements (chain_of steps first))).
