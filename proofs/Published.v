(** The procedure that labelled the published files: Algorithms 1 to 7 of the paper's appendix, as
    printed, with its five faults as switches. What a reader has to believe are the definitions up to
    [printed]; they follow solver/eventhop/published.py and docs/eventhop-published.md. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness.
Import ListNotations.

(** * The procedure *)

(** Which faults are repaired; as printed, none is. *)
Record repairs := Repairs {
  simultaneous : bool;  (* Algorithm 4 exempts points that are derivably equal. *)
  same_event : bool;    (* Algorithm 4 exempts the start and the end of one event. *)
  seen_early : bool;    (* Algorithm 2 marks a point as seen when it arrives without a strict step. *)
  pair_unchecked : bool;  (* Algorithm 3 does not compare two of the six pairs of points. *)
  by_absence : bool     (* Algorithm 1 takes A to start first unless B is derivably first. *)
}.

(** The steps from a point in the order in which they are tried: the duration, then the premise. *)
Definition arcs (i : item) (p : point) : list (point * bool) :=
  (if Nat.even p then [(S p, true)] else []) ++
  flat_map (fun '(a, o, b) =>
    match o with
    | Before => if p =? a then [(b, true)] else []
    | After => if p =? b then [(a, true)] else []
    | Simultaneous =>
        (if p =? a then [(b, false)] else []) ++ (if p =? b then [(a, false)] else [])
    | _ => []
    end) (premise i).

(** A point, and whether the search came to it by a strict step. *)
Definition state := (point * bool)%type.
Definition same_state (x y : state) : bool := (fst x =? fst y) && eqb (snd x) (snd y).
Definition listed (p : point) (ps : list point) : bool := existsb (Nat.eqb p) ps.

(** Algorithm 2, depth first: the points that are reached by a strict step, or after one. The search
    has as many turns as [fuel]; [None] if these are too few. *)
Fixpoint search (i : item) (r : repairs) (fuel : nat) (stack seen : list state)
    (reached : list point) : option (list point) :=
  match fuel, stack with
  | _, [] => Some reached
  | 0, _ => None
  | S fuel, (p, s) :: rest =>
      let key := (p, seen_early r && s) in
      if existsb (same_state key) seen then search i r fuel rest seen reached
      else
        let next := map (fun '(q, t) => (q, t || s)) (arcs i p) in
        search i r fuel (rev next ++ rest) (key :: seen) (map fst (filter snd next) ++ reached)
  end.

(** Algorithm 6: the points that are reached without a strict step, and the first one. *)
Fixpoint spread (i : item) (fuel : nat) (stack seen : list point) : option (list point) :=
  match fuel, stack with
  | _, [] => Some seen
  | 0, _ => None
  | S fuel, p :: rest =>
      let fresh := fold_left (fun found '(q, t) =>
        if t || listed q (found ++ seen) then found else q :: found) (arcs i p) [] in
      spread i fuel (fresh ++ rest) (fresh ++ seen)
  end.

(** Enough turns for each step to be tried twice. *)
Definition turns (i : item) : nat := 4 * (size i + length (premise i)) + 4.

Definition found_after (i : item) (r : repairs) (p : point) : option (list point) :=
  search i r (turns i) [(p, false)] [] [].
Definition found_equal (i : item) (p : point) : option (list point) :=
  spread i (turns i) [p] [p].

Definition is_before (i : item) (r : repairs) (p q : point) : bool :=
  match found_after i r p with Some ps => listed q ps | None => false end.
Definition is_equal (i : item) (p q : point) : bool :=
  match found_equal i p with Some ps => negb (p =? q) && listed q ps | None => false end.

(** Algorithm 4. *)
Definition clash (i : item) (r : repairs) (p q : point) : bool :=
  (same_event r || negb (Nat.even p && (q =? S p))) &&
  is_before i r p q && is_before i r q p && (simultaneous r || negb (is_equal i p q)).

(** Algorithm 3. *)
Definition clashing (i : item) (r : repairs) (a b : event) : bool :=
  clash i r (start a) (start b) || clash i r (start a) (finish a) ||
  clash i r (start a) (finish b) || clash i r (start b) (finish b) ||
  pair_unchecked r && (clash i r (finish a) (finish b) || clash i r (finish a) (start b)).

(** Algorithm 7; meeting counts. *)
Definition precedes (i : item) (r : repairs) (a b : event) : bool :=
  is_before i r (start a) (start b) &&
  (is_before i r (finish a) (start b) || is_equal i (finish a) (start b)).

(** Algorithm 1. *)
Definition overlaps_forwards (i : item) (r : repairs) (a b : event) : bool :=
  negb (is_before i r (finish a) (start a) || is_before i r (finish b) (start b)) &&
  if by_absence r then
    is_before i r (start a) (finish b) && is_before i r (start b) (finish a)
  else
    (negb (is_before i r (start b) (start a)) || is_before i r (start a) (start b)) &&
    is_before i r (start b) (finish a).

(** Algorithm 5: the label of two events, if the claim holds between them. *)
Definition labelled (i : item) (r : repairs) (a b : event) (holds : bool) : label :=
  if clashing i r a b then Undefined else if holds then True_label else False_label.

(** Whether the searches from the points of two events come to an end, and the procedure knows the
    orders of the premise. *)
Definition supported (i : item) (r : repairs) (a b : event) : bool :=
  forallb (fun '(_, o, _) => match o with Not_after | Not_before => false | _ => true end)
    (premise i) &&
  forallb (fun p => match found_after i r p, found_equal i p with
    | Some _, Some _ => true | _, _ => false end) [start a; finish a; start b; finish b].

(** What the procedure prints; [None] for a claim or a premise that it does not support. *)
Definition printed (i : item) (r : repairs) : option label :=
  let by_ a b holds := if supported i r a b then Some (labelled i r a b holds) else None in
  match claimed i with
  | Happens_before a b => by_ a b (precedes i r a b)
  | Happens_after a b => by_ a b (precedes i r b a)
  | Overlaps_with a b => by_ a b (overlaps_forwards i r a b || overlaps_forwards i r b a)
  | _ => None
  end.

(** What gives an item its label: a policy, or the procedure. *)
Inductive rule := By_policy (o : policy) | By_procedure (r : repairs).

Inductive labelled_by (i : item) : rule -> label -> Prop :=
  | Labelled o l : has_label i o l -> labelled_by i (By_policy o) l
  | Printed r l : printed i r = Some l -> labelled_by i (By_procedure r) l.

(** * The checker *)

(** As [check]; under the procedure, whose label does not follow from the status, it is replayed. *)
Definition check_by (i : item) (u : rule) (v : verdict) (c : certificate) : bool :=
  match u with
  | By_policy o => check i o v c
  | By_procedure r =>
      let '(Verdict s b l h) := v in
      check i Local (Verdict s b (label_of Local s b) h) c &&
      match printed i r with Some k => same_label k l | None => false end
  end.

(** An accepted certificate proves status, consistency and hops; and the label is what the policy
    gives, or what the procedure prints. *)
Theorem check_by_sound : forall i u v c, check_by i u v c = true ->
  has_status i (its_status v) /\ has_consistency i (its_consistency v) /\
  labelled_by i u (its_label v) /\ has_hops i (its_status v) (its_hops v).
Proof.
  intros i [o | r] [s b l h] c ok; simpl in ok.
  - apply check_sound in ok as [hs hb hl hh]. repeat split; try assumption. constructor. assumption.
  - apply andb_prop in ok as [ok same]. apply check_sound in ok as [hs hb _ hh].
    repeat split; try assumption. constructor. simpl.
    destruct (printed i r) as [k |]; [| discriminate]. f_equal.
    destruct k, l; simpl in same; congruence.
Qed.

Theorem labelled_by_unique : forall i u l k, labelled_by i u l -> labelled_by i u k -> l = k.
Proof.
  intros i u l k a b. destruct a as [o l a | r l a]; inversion b; subst;
    [eapply label_unique; eassumption | congruence].
Qed.

(** * What the searches find is derivable *)

Lemma arcs_sound : forall i p q t, In (q, t) (arcs i p) -> exists w, step i p t w q.
Proof.
  intros i p q t here. unfold arcs in here. apply in_app_or in here as [d | here].
  - destruct (Nat.even p) eqn:e; [| contradiction]. destruct d as [d | []].
    injection d; intros; subst. apply Nat.even_spec in e as [k ->]. exists 0.
    replace (S (2 * k)) with (finish k) by (unfold finish; lia). apply Duration.
  - apply in_flat_map in here as ([[a o] b] & inside & here). exists 1.
    destruct o; try contradiction; [| | apply in_app_or in here as [here | here]];
      match type of here with In _ (if ?x =? ?y then _ else _) => destruct (Nat.eqb_spec x y) end;
      try contradiction; destruct here as [here | []]; injection here; intros; subst;
      [apply Stated_before | apply Stated_after | apply Stated_equal | apply Stated_equal_back];
      assumption.
Qed.

(** A state is reached by a walk that is strict if the state is. *)
Definition reached_from (i : item) (p : point) (x : state) : Prop :=
  exists n, walk i p (snd x) n (fst x).

Lemma search_sound : forall i r p fuel stack seen reached found,
  search i r fuel stack seen reached = Some found ->
  (forall x, In x stack -> reached_from i p x) ->
  (forall q, In q reached -> derivable i (Less p q)) ->
  forall q, In q found -> derivable i (Less p q).
Proof.
  intros i r p. induction fuel as [| fuel IH]; intros [| [x s] rest] seen reached found e ok old;
    simpl in e; try discriminate; try (injection e; intros; subst; auto; fail).
  destruct (existsb (same_state (x, seen_early r && s)) seen).
  - eapply IH; [exact e | | exact old]. intros y inside. apply ok. right. assumption.
  - assert (forall y, In y (map (fun '(q, t) => (q, t || s)) (arcs i x)) -> reached_from i p y)
      as next.
    { intros y inside. apply in_map_iff in inside as ([q t] & <- & inside).
      apply arcs_sound in inside as [w one]. destruct (ok (x, s) (or_introl eq_refl)) as [n walked].
      exists (n + w). simpl in *. rewrite orb_comm. eapply join; [eassumption |].
      apply single. assumption. }
    eapply IH; [exact e | |].
    + intros y inside. apply in_app_or in inside as [inside | inside].
      * apply next, in_rev. assumption.
      * apply ok. right. assumption.
    + intros q inside. apply in_app_or in inside as [inside | inside]; [| auto].
      apply in_map_iff in inside as ([z t] & <- & inside).
      apply filter_In in inside as [inside strict]. simpl in *. subst t.
      destruct (next _ inside) as [n walked]. exists n. constructor. exact walked.
Qed.

(** What Algorithm 2 finds before a point is derivably so, with its faults or without. *)
Theorem is_before_derivable : forall i r p q, is_before i r p q = true -> derivable i (Less p q).
Proof.
  intros i r p q e. unfold is_before, found_after in e.
  destruct (search i r (turns i) [(p, false)] [] []) as [found |] eqn:f; [| discriminate].
  eapply search_sound; [exact f | | |].
  - intros x [<- | []]. exists 0. apply Stay.
  - intros ? [].
  - unfold listed in e. apply existsb_exists in e as (z & inside & same).
    apply Nat.eqb_eq in same. subst. assumption.
Qed.

Lemma spread_sound : forall i p fuel stack seen found, spread i fuel stack seen = Some found ->
  (forall q, In q stack -> In q seen) ->
  (forall q, In q seen -> derivable i (At_most p q)) ->
  forall q, In q found -> derivable i (At_most p q).
Proof.
  intros i p. induction fuel as [| fuel IH]; intros [| x rest] seen found e sub ok;
    simpl in e; try discriminate; try (injection e; intros; subst; auto; fail).
  assert (forall zs fresh, (forall q t, In (q, t) zs -> In (q, t) (arcs i x)) ->
    (forall q, In q fresh -> derivable i (At_most p q)) ->
    forall q, In q (fold_left (fun found '(q, t) =>
      if t || listed q (found ++ seen) then found else q :: found) zs fresh) ->
    derivable i (At_most p q)) as next.
  { induction zs as [| [z t] zs more]; intros fresh from good q inside; simpl in inside; [auto |].
    eapply more; [| | exact inside]; [intros; apply from; right; assumption |].
    destruct (t || listed z (fresh ++ seen)); [assumption |].
    intros y [<- | there]; [| auto].
    destruct (arcs_sound i x z t) as [w one]; [apply from; left; reflexivity |].
    eapply transitive; [apply ok, sub; left; reflexivity | eapply of_step; eassumption]. }
  eapply IH; [exact e | |].
  - intros q inside. apply in_or_app. apply in_app_or in inside as [inside | inside]; [auto |].
    right. apply sub. right. assumption.
  - intros q inside. apply in_app_or in inside as [inside | inside]; [| auto].
    eapply next; [| | exact inside]; [auto | intros ? []].
Qed.

(** What Algorithm 6 finds equal to a point is derivably not before it. *)
Theorem is_equal_derivable : forall i p q, is_equal i p q = true -> derivable i (At_most p q).
Proof.
  intros i p q e. unfold is_equal, found_equal in e.
  destruct (spread i (turns i) [p] [p]) as [found |] eqn:f; [| discriminate].
  apply andb_prop in e as [_ e]. eapply spread_sound; [exact f | auto | |].
  - intros x [<- | []]. exists 0. econstructor. apply Stay.
  - unfold listed in e. apply existsb_exists in e as (z & inside & same).
    apply Nat.eqb_eq in same. subst. assumption.
Qed.
