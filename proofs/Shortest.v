(** Shortest walks between the points of an item, by the method of Floyd and Warshall.

    Nothing here is extracted: the functions only show, without classical logic, that derivability
    is decidable and that every derivable inequality has a least number of premise relations. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness.
Import ListNotations.

(** * Numbers with infinity, which is [None] *)

Definition plus (a b : option nat) : option nat :=
  match a, b with Some m, Some n => Some (m + n) | _, _ => None end.

Definition least (a b : option nat) : option nat :=
  match a, b with Some m, Some n => Some (Nat.min m n) | Some m, None => Some m | None, _ => b end.

Definition no_more (a b : option nat) : Prop :=
  match a, b with _, None => True | None, Some _ => False | Some m, Some n => m <= n end.

(** Proves a law by trying finite numbers and infinity. *)
Ltac try_numbers :=
  intros;
  repeat match goal with o : option nat |- _ => destruct o end;
  simpl in *; try lia; try tauto.

Lemma no_more_refl : forall a, no_more a a. Proof. try_numbers. Qed.
Lemma no_more_trans : forall a b c, no_more a b -> no_more b c -> no_more a c.
Proof. try_numbers. Qed.
Lemma least_left : forall a b, no_more (least a b) a. Proof. try_numbers. Qed.
Lemma least_right : forall a b, no_more (least a b) b. Proof. try_numbers. Qed.

Lemma least_cases : forall a b n, least a b = Some n -> a = Some n \/ b = Some n.
Proof.
  intros [m |] [k |] n; simpl; auto. intro e. injection e; intros; subst.
  destruct (Nat.min_spec m k) as [[_ ->] | [_ ->]]; auto.
Qed.

Lemma plus_cases : forall a b n, plus a b = Some n ->
  exists m k, a = Some m /\ b = Some k /\ n = m + k.
Proof. intros [m |] [k |] n e; try discriminate. injection e; intros; subst. eauto. Qed.

Lemma through_new : forall pq pk kq kk,
  no_more (least pq (plus pk kq)) (plus (least pk (plus pk kk)) (least kq (plus kk kq))).
Proof. try_numbers. Qed.

Lemma through_old : forall pq pr rq pk rk kq kr,
  no_more pq (plus pr rq) -> no_more pk (plus pr rk) -> no_more kq (plus kr rq) ->
  no_more (least pq (plus pk kq)) (plus (least pr (plus pk kr)) (least rq (plus rk kq))).
Proof. try_numbers. Qed.

(** * States and the edges between them *)

(** A state is a point, and whether the walk to it was strict. *)
Definition state := (point * bool)%type.

Definition state_eq (x y : state) : {x = y} + {x <> y}.
Proof. decide equality; [apply bool_dec | apply Nat.eq_dec]. Defined.

Definition states (i : item) : list state := list_prod (seq 0 (2 * size i)) [false; true].

Definition edges (i : item) : list (state * nat * state) :=
  flat_map (fun '(p, s, w, q) => [((p, false), w, (q, s)); ((p, true), w, (q, true))]) (steps i).

(** The least weight of the edges from [x] to [y]. *)
Fixpoint lightest (x y : state) (l : list (state * nat * state)) : option nat :=
  match l with
  | [] => None
  | (a, w, b) :: rest =>
      if state_eq x a then
        if state_eq y b then least (Some w) (lightest x y rest) else lightest x y rest
      else lightest x y rest
  end.

(** The shortest way by at most one edge. *)
Definition direct (i : item) (x y : state) : option nat :=
  if state_eq x y then Some 0 else lightest x y (edges i).

(** The shortest way whose inner states are in the list. *)
Fixpoint way (i : item) (inner : list state) (x y : state) : option nat :=
  match inner with
  | [] => direct i x y
  | z :: rest => least (way i rest x y) (plus (way i rest x z) (way i rest z y))
  end.

Definition far (i : item) : state -> state -> option nat := way i (states i).

(** ** A way is a walk *)

Definition leads (i : item) (x : state) (n : nat) (y : state) : Prop :=
  exists s, walk i (fst x) s n (fst y) /\ snd y = snd x || s.

Lemma edges_lead : forall i x w y, In (x, w, y) (edges i) -> leads i x w y.
Proof.
  intros i x w y inside. apply in_flat_map in inside as ([[[p s] v] q] & listed & here).
  apply steps_sound, single in listed.
  destruct here as [same | [same | []]]; injection same; intros; subst; exists s; auto.
Qed.

Lemma lightest_in : forall x y l n, lightest x y l = Some n -> In (x, n, y) l.
Proof.
  induction l as [| [[a w] b] rest IH]; cbn [lightest]; intros n e; [discriminate |].
  destruct (state_eq x a) as [-> |]; [| right; auto].
  destruct (state_eq y b) as [-> |]; [| right; auto].
  apply least_cases in e as [e | e]; [| right; auto].
  injection e; intros; subst. left. reflexivity.
Qed.

Lemma direct_leads : forall i x y n, direct i x y = Some n -> leads i x n y.
Proof.
  intros i x y n. unfold direct. destruct (state_eq x y) as [-> | _]; intro e.
  - injection e; intros; subst. exists false. split; [apply Stay | now rewrite orb_false_r].
  - apply edges_lead, lightest_in. assumption.
Qed.

Lemma way_leads : forall i inner x y n, way i inner x y = Some n -> leads i x n y.
Proof.
  induction inner as [| z rest IH]; simpl; intros x y n e; [apply direct_leads; assumption |].
  apply least_cases in e as [e | e]; [auto |].
  apply plus_cases in e as (m & k & one & two & ->).
  apply IH in one as (s & ws & es). apply IH in two as (t & wt & et).
  exists (s || t). split; [eapply join; eassumption |]. now rewrite et, es, orb_assoc.
Qed.

(** ** A walk is no shorter than the way *)

Lemma way_direct : forall i inner x y, no_more (way i inner x y) (direct i x y).
Proof.
  induction inner as [| z rest IH]; simpl; intros; [apply no_more_refl |].
  eapply no_more_trans; [apply least_left | apply IH].
Qed.

Lemma way_here : forall i inner x, no_more (way i inner x x) (Some 0).
Proof.
  intros. eapply no_more_trans; [apply way_direct |]. unfold direct.
  destruct (state_eq x x); [apply no_more_refl | contradiction].
Qed.

Lemma way_edge : forall i inner x w y, In (x, w, y) (edges i) -> no_more (way i inner x y) (Some w).
Proof.
  intros i inner x w y inside. eapply no_more_trans; [apply way_direct |]. unfold direct.
  destruct (state_eq x y); [simpl; lia |].
  induction (edges i) as [| [[a v] b] rest IH]; [contradiction |]. cbn [lightest].
  destruct inside as [same | inside].
  - injection same; intros; subst. destruct (state_eq x x), (state_eq y y); try contradiction.
    apply least_left.
  - specialize (IH inside). destruct (state_eq x a); [| assumption].
    destruct (state_eq y b); [| assumption].
    eapply no_more_trans; [apply least_right | assumption].
Qed.

(** The triangle inequality, through any inner state. *)
Lemma way_triangle : forall i inner z, In z inner ->
  forall x y, no_more (way i inner x y) (plus (way i inner x z) (way i inner z y)).
Proof.
  induction inner as [| k rest IH]; [contradiction |].
  intros z inside x y. simpl. destruct (state_eq k z) as [-> | other].
  - apply through_new.
  - destruct inside; [contradiction |]. apply through_old; apply IH; assumption.
Qed.

(** * Points of an item *)

Definition inside (i : item) (p : point) : Prop := p < 2 * size i.

Lemma mentioned_inside : forall i p, In p (mentioned i) -> inside i p.
Proof.
  intros i p. unfold inside, size. induction (mentioned i) as [| q rest IH]; [contradiction |].
  intros [-> | later]; cbn [fold_right].
  - pose proof (Nat.div2_odd p) as halves.
    assert (Nat.b2n (Nat.odd p) <= 1) by (destruct (Nat.odd p); simpl; lia). lia.
  - specialize (IH later). lia.
Qed.

Lemma claimed_inside : forall i p, In p (claimed_points (claimed i)) -> inside i p.
Proof. intros. apply mentioned_inside. unfold mentioned. apply in_or_app. auto. Qed.

Lemma premise_inside : forall i p o q, In (p, o, q) (premise i) -> inside i p /\ inside i q.
Proof.
  intros i p o q listed. split; apply mentioned_inside; unfold mentioned; apply in_or_app; left;
    apply in_flat_map; eexists; (split; [eassumption | simpl; auto]).
Qed.

(** From a point of the item every step is listed and stays inside. *)
Lemma steps_stay : forall i p s w q, inside i p -> step i p s w q ->
  In (p, s, w, q) (steps i) /\ inside i q.
Proof.
  intros i p s w q within one. pose proof one as again.
  apply steps_complete in one as [listed | (e & out & -> & _)].
  - split; [assumption |]. destruct again as [e | ? ? r | ? ? r | ? ? r | ? ? r | ? ? r | ? ? r];
      try (apply premise_inside in r; tauto). unfold inside, start, finish in *. lia.
  - unfold inside, start in within. lia.
Qed.

Lemma listed_inside : forall i p s w q, In (p, s, w, q) (steps i) -> inside i p /\ inside i q.
Proof.
  intros i p s w q listed. unfold steps in listed. apply in_app_or in listed as [d | r].
  - apply in_map_iff in d as (e & same & bounded). apply in_seq in bounded.
    injection same; intros; subst. unfold inside, start, finish. lia.
  - apply in_flat_map in r as ([[a o] b] & stated & here). apply premise_inside in stated.
    destruct o; simpl in here;
      repeat (destruct here as [same | here]; [injection same; intros; subst; tauto |]);
      contradiction.
Qed.

Lemma inside_state : forall i p s, inside i p -> In (p, s) (states i).
Proof.
  intros i p s within. apply in_prod; [apply in_seq; unfold inside in within; lia |].
  destruct s; simpl; auto.
Qed.

Lemma far_triangle : forall i x p s y, inside i p ->
  no_more (far i x y) (plus (far i x (p, s)) (far i (p, s) y)).
Proof. intros. apply way_triangle, inside_state. assumption. Qed.

Lemma far_step : forall i p s w q b, In (p, s, w, q) (steps i) ->
  no_more (far i (p, b) (q, b || s)) (Some w).
Proof.
  intros i p s w q b listed. apply way_edge. apply in_flat_map. exists (p, s, w, q).
  split; [assumption |]. destruct b; simpl; auto.
Qed.

Lemma far_walk : forall i p s n q, walk i p s n q -> inside i p ->
  forall b, no_more (far i (p, b) (q, b || s)) (Some n).
Proof.
  induction 1 as [p | p s w q t n r one _ IH]; intros within b.
  - rewrite orb_false_r. apply way_here.
  - apply steps_stay in one as [listed stays]; [| assumption]. specialize (IH stays (b || s)).
    pose proof (far_step i p s w q b listed) as first. rewrite orb_assoc.
    eapply no_more_trans; [apply (far_triangle i _ q (b || s)); assumption |].
    revert first IH. generalize (far i (p, b) (q, b || s)).
    generalize (far i (q, b || s) (r, b || s || t)). try_numbers.
Qed.

(** * The shortest derivation of an inequality *)

Definition best (i : item) (r : inequality) : option nat :=
  match r with
  | Less p q => far i (p, false) (q, true)
  | At_most p q => least (far i (p, false) (q, false)) (far i (p, false) (q, true))
  end.

Lemma best_derives : forall i r n, best i r = Some n -> derives i r n.
Proof.
  intros i [p q | p q] n e; simpl in e.
  - apply way_leads in e as (s & w & same). simpl in *. subst. constructor. assumption.
  - apply least_cases in e as [e | e]; apply way_leads in e as (s & w & _);
      econstructor; eassumption.
Qed.

Lemma best_least : forall i r n, derives i r n -> inside i (lower r) -> no_more (best i r) (Some n).
Proof.
  intros i r n [p m q w | p s m q w] within; simpl in *;
    apply (far_walk i _ _ _ _ w) with (b := false) in within; simpl in within; [assumption |].
  destruct s; eapply no_more_trans; try eassumption; [apply least_right | apply least_left].
Qed.

Lemma best_none : forall i r, inside i (lower r) -> best i r = None -> ~ derivable i r.
Proof.
  intros i r within none [n d]. apply best_least in d; [| assumption].
  rewrite none in d. contradiction.
Qed.

(** The shortest closed strict walk through two points. *)
Definition around (i : item) (pair : point * point) : option nat :=
  let '(p, q) := pair in
  least (plus (best i (Less p q)) (best i (At_most q p)))
        (plus (best i (At_most p q)) (best i (Less q p))).

Lemma around_least : forall i p q s t a b, inside i p -> inside i q ->
  walk i p s a q -> walk i q t b p -> s || t = true ->
  no_more (around i (p, q)) (Some (a + b)).
Proof.
  intros i p q s t a b ip iq there back strict. unfold around.
  pose proof (best_least i (At_most p q) a (Derives_at_most _ _ _ _ _ there) ip) as u.
  pose proof (best_least i (At_most q p) b (Derives_at_most _ _ _ _ _ back) iq) as v.
  destruct s.
  - pose proof (best_least i (Less p q) a (Derives_less _ _ _ _ there) ip) as x.
    revert u v x. generalize (best i (At_most p q)) (best i (At_most q p)) (best i (Less p q)).
    generalize (best i (Less q p)). try_numbers.
  - destruct t; [| discriminate].
    pose proof (best_least i (Less q p) b (Derives_less _ _ _ _ back) iq) as x.
    revert u v x. generalize (best i (At_most p q)) (best i (At_most q p)) (best i (Less p q)).
    generalize (best i (Less q p)). try_numbers.
Qed.

(** The least of finitely many numbers. *)
Lemma minimum : forall {A} (f : A -> option nat) l,
  (forall x, In x l -> f x = None) \/
  exists x n, In x l /\ f x = Some n /\ forall y, In y l -> no_more (Some n) (f y).
Proof.
  induction l as [| x l IH]; [left; contradiction |].
  destruct (f x) as [m |] eqn:fx.
  - right. destruct IH as [none | (z & n & inz & fz & least)].
    + exists x, m. split; [left; reflexivity |]. split; [assumption |].
      intros y [<- | iny]; [rewrite fx | rewrite (none y iny)]; simpl; auto.
    + destruct (le_lt_dec n m); [exists z, n | exists x, m];
        (split; [simpl; auto | split; [assumption |]]); intros y [<- | iny];
        try (rewrite fx; simpl; lia); specialize (least y iny); destruct (f y); simpl in *; lia.
  - destruct IH as [none | (z & n & inz & fz & least)]; [left; intros y [<- | iny]; auto |].
    right. exists z, n. split; [right; assumption |]. split; [assumption |].
    intros y [<- | iny]; [rewrite fx; exact I | auto].
Qed.
