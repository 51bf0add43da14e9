(** What the checker of questions accepts is right: no answer is wrong, and none is missing. *)
From Coq Require Import List Bool ZArith FMapPositive Lia Sorted.
From Hopcheck Require Import Graphs Questions QuestionChecker.
Import ListNotations.
Open Scope Z_scope.

(** * Indexes *)

Lemma bucket_add : forall A (ix : M.t (list A)) x k j,
  bucket (M.add (place_of_key k) (x :: bucket ix k) ix) j =
  if Pos.eqb (place_of_key j) (place_of_key k) then x :: bucket ix k else bucket ix j.
Proof.
  intros. unfold bucket at 1. destruct (Pos.eqb_spec (place_of_key j) (place_of_key k)) as [-> | other].
  - rewrite M.gss. reflexivity.
  - rewrite M.gso by assumption. reflexivity.
Qed.

Lemma in_indexed : forall A (key : A -> Z) l ix x k,
  (forall y j, In y (bucket ix j) -> place_of_key (key y) = place_of_key j) ->
  In x (bucket (fold_left (fun ix x => M.add (place_of_key (key x)) (x :: bucket ix (key x)) ix) l ix) k) <->
  In x (bucket ix k) \/ (In x l /\ place_of_key (key x) = place_of_key k).
Proof.
  intros A key l. induction l as [| y l IH]; intros ix x k inside; simpl.
  - tauto.
  - rewrite IH.
    + rewrite bucket_add. destruct (Pos.eqb_spec (place_of_key k) (place_of_key (key y))) as [e | other].
      * assert (bucket ix (key y) = bucket ix k) as -> by (unfold bucket; rewrite e; reflexivity).
        simpl. split; intros; intuition (subst; auto).
      * split; intros; intuition (subst; auto; congruence).
    + intros z j. rewrite bucket_add.
      destruct (Pos.eqb_spec (place_of_key j) (place_of_key (key y))) as [e | other]; [| apply inside].
      intros [<- | here]; [auto |]. rewrite e. apply inside. assumption.
Qed.

Lemma in_bucket : forall A (key : A -> Z) l x k,
  In x (bucket (indexed key l) k) <-> In x l /\ place_of_key (key x) = place_of_key k.
Proof.
  intros. unfold indexed. rewrite in_indexed.
  - unfold bucket at 1. rewrite M.gempty. simpl. tauto.
  - intros y j here. unfold bucket in here. rewrite M.gempty in here. contradiction.
Qed.

Lemma is_in_iff : forall x l, is_in x l = true <-> In x l.
Proof.
  intros. unfold is_in. rewrite existsb_exists. split.
  - intros (y & here & e). apply Z.eqb_eq in e. subst. assumption.
  - intro here. exists x. split; [assumption | apply Z.eqb_refl].
Qed.

Ltac booleans :=
  repeat match goal with
  | H : (_ && _)%bool = true |- _ => apply andb_prop in H as [H ?]
  | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : (_ =? _) = false |- _ => apply Z.eqb_neq in H
  | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H
  | H : (_ <=? _) = true |- _ => apply Z.leb_le in H
  end.

(** * Entities that are asked for *)

Lemma reached_iff : forall facts w a r t x,
  In x (reached (by_time (found_in facts)) w a r t) <-> leads facts w a r x t.
Proof.
  intros. unfold reached. rewrite in_map_iff. split.
  - intros (f & <- & here). apply filter_In in here as [here ok]. apply in_bucket in here as [here _].
    booleans. exists f. auto.
  - intros (f & here & <- & <- & <- & <-). exists f. split; [reflexivity |]. apply filter_In. split.
    + apply in_bucket. auto.
    + rewrite !Z.eqb_refl. reflexivity.
Qed.

Lemma all_answers_iff : forall facts q x,
  In x (all_answers (by_time (found_in facts)) q) <-> is_answer facts q x.
Proof.
  intros facts [w a r t | w a r v s t] x; simpl; [apply reached_iff |].
  rewrite in_map_iff. split.
  - intros (f & <- & here). apply filter_In in here as [here ok]. apply in_bucket in here as [here _].
    booleans. match goal with H : is_in _ _ = true |- _ => apply is_in_iff in H;
      apply filter_In in H as [H apart] end. booleans.
    exists (near v f). repeat split; try assumption; [apply reached_iff; assumption |].
    exists f. auto.
  - intros (p & first & (f & here & <- & <- & <- & <-) & one & two & three). exists f.
    split; [reflexivity |]. apply filter_In. split; [apply in_bucket; auto |].
    rewrite !Z.eqb_refl. apply Z.eqb_neq in one, two, three. rewrite two, three. simpl.
    apply is_in_iff, filter_In. rewrite one. split; [apply reached_iff; assumption | reflexivity].
Qed.

Lemma ascending_unique : forall l, ascending l = true -> NoDup l.
Proof.
  intros l ok. assert (Sorted Z.lt l) as sorted.
  { induction l as [| x [| y l] IH]; constructor; auto.
    - apply IH. simpl in ok. booleans. assumption.
    - constructor. simpl in ok. booleans. assumption. }
  apply Sorted_StronglySorted in sorted; [| intros ? ? ?; apply Z.lt_trans].
  induction sorted as [| x l sorted IH less]; constructor.
  - intro here. rewrite Forall_forall in less. apply less in here. lia.
  - apply IH. destruct l as [| y l]; [reflexivity |]. simpl in *. booleans. assumption.
Qed.

(** The answers that are accepted are all answers, each once, and no others. *)
Theorem check_answers_sound : forall facts q answers,
  check_answers (found_in facts) q answers = true ->
  NoDup answers /\ forall x, In x answers <-> is_answer facts q x.
Proof.
  intros facts q answers ok. unfold check_answers in ok. booleans. split.
  - apply ascending_unique. assumption.
  - intro x. rewrite <- all_answers_iff. rewrite forallb_forall in *. split; intro here.
    + apply is_in_iff. auto.
    + apply is_in_iff. auto.
Qed.

(** * Yes or unknown *)

Lemma same_triple_iff : forall f a r b,
  same_triple f a r b = true <-> f = Fact a r b (time f).
Proof.
  intros [h s o t] a r b. unfold same_triple. simpl. split.
  - intro ok. booleans. congruence.
  - intro e. injection e as -> -> ->. rewrite !Z.eqb_refl. reflexivity.
Qed.

Theorem check_so_iff : forall facts a r b t,
  check_so (found_in facts) a r b t = true <-> is_so facts a r b t.
Proof.
  intros. unfold check_so, is_so. rewrite existsb_exists. split.
  - intros (f & here & ok). apply in_bucket in here as [here _]. booleans.
    apply same_triple_iff in ok. rewrite ok in here. subst. assumption.
  - intro here. exists (Fact a r b t). split; [apply in_bucket; auto |].
    apply andb_true_iff. split; [apply same_triple_iff; reflexivity | apply Z.eqb_refl].
Qed.

Theorem check_unknown_iff : forall facts a r b,
  check_unknown (found_in facts) a r b = true <-> is_unknown facts a r b.
Proof.
  intros. unfold check_unknown, is_unknown. rewrite negb_true_iff. split.
  - intros none t here.
    assert (existsb (fun f => same_triple f a r b) (bucket (by_head (found_in facts)) a) = true)
      as some; [| congruence].
    apply existsb_exists. exists (Fact a r b t). split; [apply in_bucket; auto |].
    apply same_triple_iff. reflexivity.
  - intro none. destruct (existsb _ _) eqn:e; [| reflexivity].
    apply existsb_exists in e as (f & here & same). apply in_bucket in here as [here _].
    apply same_triple_iff in same. rewrite same in here. destruct (none _ here).
Qed.

(** * The most plausible of the choices *)

Lemma infers_iff : forall i f a r b, infers_by i f a r b = true <-> infers i f a r b.
Proof.
  intros. unfold infers_by, infers. split.
  - intro ok. booleans. auto.
  - intros (-> & other & -> & -> & ->). apply Z.eqb_neq in other. rewrite !Z.eqb_refl, other.
    reflexivity.
Qed.

Lemma check_choice_sound : forall decay facts all a r b t f i n,
  check_choice decay (found_in facts) (inferences_found all) a r b t (f, i, n) = true ->
  In f facts /\ ~ (head f = a /\ rel f = r /\ tail f = b) /\ 0 < n /\
  contributes decay all a r b t f n.
Proof.
  intros decay facts all a r b t f i n ok. unfold check_choice in ok.
  apply andb_prop in ok as [ok most]. apply andb_prop in ok as [ok known]. booleans.
  apply existsb_exists in known as (j & here & same). apply in_bucket in here as [here _].
  assert (j = i) as -> by
    (destruct i as [? di ? ? ?], j as [? dj ? ? ?]; simpl in *; booleans; subst;
     destruct di, dj; try discriminate; reflexivity).
  repeat split.
  - apply check_so_iff in ok. destruct f. assumption.
  - intros (x & y & z). unfold same_triple in *. rewrite x, y, z, !Z.eqb_refl in *. discriminate.
  - assumption.
  - exists i. split; [assumption |]. split; [apply infers_iff; assumption | assumption].
  - intros j inside by_j. rewrite forallb_forall in most. apply infers_iff in by_j.
    assert (In j (bucket (inferences_found all) r)) as there.
    { apply in_bucket. split; [assumption |]. apply infers_iff in by_j as (-> & _). reflexivity. }
    apply most in there. rewrite by_j in there. simpl in there. booleans. assumption.
Qed.

(** The choice that is accepted contributes most, by any of the inferences. *)
Theorem check_plausible_sound : forall decay facts all a r b t best others,
  check_plausible decay (found_in facts) (inferences_found all) a r b t best others = true ->
  is_most_plausible decay all facts a r b t (fst (fst best)) (map (fun c => fst (fst c)) others).
Proof.
  intros decay facts all a r b t [[f i] n] others ok. unfold check_plausible in ok.
  apply andb_prop in ok as [ok rest]. rewrite forallb_forall in rest.
  apply check_choice_sound in ok as (here & apart & more & most). exists n.
  split; [assumption |]. split; [assumption |]. split.
  - intros g [<- | inside]; [split; assumption |].
    apply in_map_iff in inside as ([[g' j] m] & <- & inside). apply rest in inside.
    apply andb_prop in inside as [inside _].
    apply check_choice_sound in inside as (? & ? & _). auto.
  - intros g inside. apply in_map_iff in inside as ([[g' j] m] & <- & inside).
    apply rest in inside. apply andb_prop in inside as [inside less]. simpl in less. booleans.
    apply check_choice_sound in inside as (_ & _ & ? & ?). exists m. auto.
Qed.
