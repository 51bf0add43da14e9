(** The reader finds all that texts can say, and nothing else; so what the checker accepts from the
    texts is true of the only item that they say. *)
From Coq Require Import List Bool Arith NArith Lia.
From Hopcheck Require Import Meaning Checker Published Reading Reader.
Import ListNotations.
Local Open Scope N_scope.

(** * Texts *)

Lemma same_iff : forall s t, same s t = true <-> s = t.
Proof.
  induction s as [| c s IH]; intros [| d t]; simpl; split; intro e; try discriminate; auto.
  - apply andb_prop in e as [e f]. apply N.eqb_eq in e. apply IH in f. congruence.
  - injection e as -> ->. rewrite N.eqb_refl. apply IH. reflexivity.
Qed.

Lemma strip_iff : forall s t rest, strip s t = Some rest <-> t = s ++ rest.
Proof.
  induction s as [| c s IH]; intros t rest; simpl.
  - split; congruence.
  - destruct t as [| d t]; [split; discriminate |].
    destruct (N.eqb_spec c d) as [-> | other]; [rewrite IH |]; split; congruence.
Qed.

Lemma strip_end_iff : forall s t rest, strip_end s t = Some rest <-> t = rest ++ s.
Proof.
  intros s t rest. unfold strip_end, rev'. rewrite <- !rev_alt. split.
  - destruct (strip (rev s) (rev t)) as [r |] eqn:e; [| discriminate].
    intro f. injection f as <-. apply strip_iff in e. rewrite <- rev_alt.
    rewrite <- (rev_involutive t), e, rev_app_distr, rev_involutive. reflexivity.
  - intros ->. rewrite rev_app_distr.
    assert (strip (rev s) (rev s ++ rev rest) = Some (rev rest)) as -> by (apply strip_iff; auto).
    simpl. rewrite <- rev_alt, rev_involutive. reflexivity.
Qed.

Lemma in_optional : forall A (o : option A) x, In x (optional o) <-> o = Some x.
Proof. intros A [y |] x; simpl; split; intuition congruence. Qed.

Lemma in_after_each : forall l t rest,
  In rest (after_each l t) <-> exists s, In s l /\ t = s ++ rest.
Proof.
  intros. unfold after_each. rewrite in_flat_map. setoid_rewrite in_optional.
  setoid_rewrite strip_iff. reflexivity.
Qed.

Lemma in_after_any : forall A (l : list (text * A)) t a rest,
  In (a, rest) (after_any l t) <-> exists s, In (s, a) l /\ t = s ++ rest.
Proof.
  induction l as [| [s b] l IH]; intros t a rest; simpl.
  - split; [contradiction | intros (s & [] & _)].
  - assert (In (a, rest) match strip s t with Some u => (b, u) :: after_any l t | None => after_any l t end <->
      b = a /\ strip s t = Some rest \/ In (a, rest) (after_any l t)) as ->.
    { destruct (strip s t); simpl; intuition congruence. }
    rewrite IH, strip_iff. split.
    + intros [[-> ->] | (u & inside & e)]; [exists s | exists u]; auto.
    + intros (u & [f | inside] & e); [| right; eauto]. injection f as -> ->. auto.
Qed.

Lemma in_around_space : forall A (read : text -> list A) t s a,
  In (s, a) (around_space read t) <-> exists u, t = s ++ [space] ++ u /\ In a (read u).
Proof.
  intros A read t. induction t as [| c t IH]; intros s a; simpl.
  - split; [intros [] | intros (u & e & _); destruct s; discriminate].
  - rewrite in_app_iff, in_map_iff. split.
    + intros [here | ([s' a'] & e & there)].
      * destruct (N.eqb_spec c space) as [-> |]; [| contradiction].
        apply in_map_iff in here as (a' & e & here). injection e as <- <-. exists t. auto.
      * injection e as <- <-. apply IH in there as (u & -> & there). exists u. auto.
    + destruct s as [| d s]; intros (u & e & here); injection e as -> e.
      * left. subst. rewrite N.eqb_refl. apply in_map. assumption.
      * right. exists (s, a). split; [reflexivity |]. apply IH. exists u. auto.
Qed.

Lemma in_before_any : forall A (l : list (text * A)) t a rest,
  In (rest, a) (before_any l t) <-> exists s, In (s, a) l /\ t = rest ++ spaced s.
Proof.
  intros. unfold before_any. rewrite in_app_iff, in_around_space, in_flat_map. split.
  - intros [([[| c s] b] & inside & here) | (u & -> & here)].
    + destruct here as [e | []]. injection e as -> ->. exists []. simpl. rewrite app_nil_r. auto.
    + destruct here.
    + apply in_flat_map in here as ([[| c s] b] & inside & here); [destruct here |].
      destruct (same (c :: s) u) eqn:e; [| destruct here]. destruct here as [-> | []].
      apply same_iff in e as <-. exists (c :: s). auto.
  - intros ([| c s] & inside & ->).
    + left. exists ([], a). split; [assumption |]. left. simpl. rewrite app_nil_r. reflexivity.
    + right. exists (c :: s). split; [reflexivity |]. apply in_flat_map. exists (c :: s, a).
      split; [assumption |]. assert (same (c :: s) (c :: s) = true) as -> by (apply same_iff; reflexivity).
      left. reflexivity.
Qed.

Lemma in_after_letters : forall A (l : list (N * list (text * A))) t a rest,
  In (a, rest) (after_letters l t) <->
  exists letter begun link, In (letter, begun) l /\ In (link, a) begun /\ t = [letter] ++ link ++ rest.
Proof.
  intros A l t a rest. induction l as [| [d some] l IH]; simpl.
  - split; [contradiction | intros (letter & begun & link & [] & _)].
  - destruct t as [| c t].
    { split; [contradiction |]. intros (letter & begun & link & _ & _ & e). discriminate. }
    assert (In (a, rest) (if d =? c then after_any some t ++ after_letters l (c :: t)
      else after_letters l (c :: t)) <->
      d = c /\ In (a, rest) (after_any some t) \/ In (a, rest) (after_letters l (c :: t))) as ->.
    { destruct (N.eqb_spec d c); [rewrite in_app_iff |]; tauto. }
    rewrite IH, in_after_any. split.
    + intros [(-> & link & ? & ->) | (letter & begun & link & ? & ? & e)];
        [exists c, some, link | exists letter, begun, link]; auto.
    + intros (letter & begun & link & [f | inside] & ? & e); [| right; exists letter, begun, link; auto].
      injection f as -> ->. injection e as -> ->. left. eauto.
Qed.

(** * Sentences *)

Ltac found_in :=
  repeat match goal with
  | H : In _ (flat_map _ _) |- _ => apply in_flat_map in H as (? & ? & H)
  | H : In _ (optional _) |- _ => apply in_optional in H
  | H : In _ (after_each _ _) |- _ => apply in_after_each in H as (? & ? & ?)
  | x : (_ * _)%type |- _ => destruct x
  | H : In _ (after_any _ _) |- _ => apply in_after_any in H as (? & ? & ?)
  | H : In _ (before_any _ _) |- _ => apply in_before_any in H as (? & ? & ?)
  | H : In _ (around_space _ _) |- _ => apply in_around_space in H as (? & ? & H)
  | H : In _ (after_letters _ _) |- _ => apply in_after_letters in H as (? & ? & ? & ? & ? & ?)
  | H : strip _ _ = Some _ |- _ => apply strip_iff in H
  | H : strip_end _ _ = Some _ |- _ => apply strip_end_iff in H
  end.

Ltac find value :=
  apply in_flat_map; exists value; split;
  [first [ apply in_after_each; eexists; split; [| reflexivity]; assumption
         | apply in_after_any; eexists; split; [| reflexivity]; assumption
         | apply in_before_any; eexists; split; [eassumption | reflexivity]
         | apply in_around_space; eexists; split; [reflexivity |];
           first [ apply in_after_any; eexists; split; [| reflexivity]; assumption
                 | apply in_after_letters; do 3 eexists; split; [eassumption |];
                   split; [eassumption | reflexivity] ]
         | apply in_optional, strip_iff; reflexivity
         | apply in_optional, strip_end_iff; rewrite <- ?app_assoc; reflexivity
         | assumption ] |];
  cbv beta iota.

Theorem read_sentence_iff : forall w ok t s, (forall name, ok name = named w name) ->
  In s (read_sentence w ok t) <-> sentence w t s.
Proof.
  intros w ok t s the_same. split.
  - unfold read_sentence. intro here. found_in. rewrite !the_same in here.
    destruct (named w _ && named w _) eqn:fine; [| contradiction].
    apply andb_prop in fine as [? ?]. destruct here as [<- | []]. subst.
    eapply Sentence; eassumption.
  - intros [first opening after is_end article former letter begun link order closing article_b
      opening_b after_b is_end_b article_c latter]. unfold read_sentence.
    set (rest := article_b ++ opening_b ++ article_c ++ latter ++ after_b ++ closing).
    find (opening ++ article ++ (former ++ after) ++ [space] ++ [letter] ++ link ++ [space] ++ rest).
    find ((after, is_end), article ++ (former ++ after) ++ [space] ++ [letter] ++ link ++ [space] ++
      rest).
    find ((former ++ after) ++ [space] ++ [letter] ++ link ++ [space] ++ rest).
    find (former ++ after, ((order, closing), [space] ++ rest)).
    find former.
    find rest.
    find (opening_b ++ article_c ++ latter ++ after_b ++ closing).
    find ((after_b, is_end_b), article_c ++ latter ++ after_b ++ closing).
    find (latter ++ after_b ++ closing).
    find latter. rewrite !the_same.
    match goal with H : named w former = true |- _ => rewrite H end.
    match goal with H : named w latter = true |- _ => rewrite H end.
    left. reflexivity.
Qed.

Lemma read_relation_iff : forall w ok t former m latter, (forall name, ok name = named w name) ->
  In (former, m, latter) (read_relation w ok t) <-> relates w t former m latter.
Proof.
  intros w ok t former m latter the_same. split.
  - unfold read_relation. intro here. destruct (begins_capital t) eqn:capital; [| contradiction].
    found_in. rewrite !the_same in here.
    destruct (named w _ && _) eqn:fine; [| contradiction]. apply andb_prop in fine as [? ?].
    found_in. rewrite !the_same in here.
    destruct (named w _ && _) eqn:fine; [| contradiction]. apply andb_prop in fine as [? ?].
    destruct here as [here | []]. injection here as <- <- <-. subst.
    eapply Relates; try eassumption. rewrite <- ?app_assoc. reflexivity.
  - intros [u first former' letter begun verb continued link closed article latter' closing m' e
      capital]. unfold read_relation. rewrite capital, e.
    set (rest := article ++ latter' ++ spaced closing).
    find (former' ++ [space] ++ [letter] ++ verb ++ link ++ [space] ++ rest).
    find (former', (continued, link ++ [space] ++ rest)). rewrite the_same.
    repeat match goal with
    | H : named w former' = true |- _ => rewrite H; clear H
    | H : apart_from_phrases w (uncapital former') = true |- _ => rewrite H; clear H
    end. simpl andb. cbv iota.
    find (closed, [space] ++ rest).
    find rest.
    find (latter' ++ spaced closing).
    find (latter', m'). rewrite the_same.
    repeat match goal with H : _ = true |- _ => rewrite H; clear H end.
    left. reflexivity.
Qed.

Theorem read_statement_iff : forall w of_events ok t ss, (forall name, ok name = named w name) ->
  In ss (read_statement w of_events ok t) <-> statement w of_events t ss.
Proof.
  intros w of_events ok t ss the_same. split.
  - destruct of_events; simpl; intro here.
    + apply in_map_iff in here as ([[former [its_said r]] latter] & <- & here).
      eapply Of_events, read_relation_iff; eassumption.
    + apply in_map_iff in here as (s & <- & here). constructor.
      eapply read_sentence_iff; eassumption.
  - intros [u s here | u former its_said r latter here]; simpl.
    + apply in_map_iff. exists s. split; [reflexivity |]. apply read_sentence_iff; assumption.
    + apply in_map_iff. exists (former, (its_said, r), latter). split; [reflexivity |].
      apply read_relation_iff; assumption.
Qed.

(** * Sentences one after the other *)

Lemma by_two : forall P : text -> Prop, P [] -> (forall c, P [c]) ->
  (forall c d u, P u -> P (d :: u) -> P (c :: d :: u)) -> forall t, P t.
Proof.
  intros P none single more.
  assert (forall t, P t /\ forall c, P (c :: t)) as both by (induction t as [| d u [? ?]]; auto).
  intro t. apply both.
Qed.

Lemma pieces_some : forall t, pieces t <> [].
Proof.
  apply by_two; try (simpl; discriminate). intros c d u _ some.
  change (pieces (c :: d :: u)) with (if (c =? stop) && (d =? space) then [] :: pieces u
    else match pieces (d :: u) with s :: ts => (c :: s) :: ts | [] => [] end).
  destruct ((c =? stop) && (d =? space)); [discriminate |].
  destruct (pieces (d :: u)); [contradiction | discriminate].
Qed.

Lemma joined_cons : forall c s ts, joined ((c :: s) :: ts) = c :: joined (s :: ts).
Proof. intros c s [| t ts]; reflexivity. Qed.

Lemma joined_pieces : forall t, joined (pieces t) = t.
Proof.
  apply by_two; [reflexivity | reflexivity |]. intros c d u shorter longer.
  change (pieces (c :: d :: u)) with (if (c =? stop) && (d =? space) then [] :: pieces u
    else match pieces (d :: u) with s :: ts => (c :: s) :: ts | [] => [] end).
  destruct ((c =? stop) && (d =? space)) eqn:e.
  - apply andb_prop in e as [e f]. apply N.eqb_eq in e, f. subst.
    pose proof (pieces_some u). destruct (pieces u) as [| p ps]; [contradiction |].
    simpl. simpl in shorter. rewrite shorter. reflexivity.
  - pose proof (pieces_some (d :: u)). destruct (pieces (d :: u)) as [| p ps]; [contradiction |].
    etransitivity; [apply joined_cons |]. f_equal. exact longer.
Qed.

Lemma unstopped_cons : forall c t, unstopped (c :: t) = true ->
  (c =? stop) = false /\ unstopped t = true.
Proof.
  unfold unstopped. cbn [existsb]. intros c t ok. rewrite negb_orb in ok.
  apply andb_prop in ok as [other ok]. apply negb_true_iff in other.
  rewrite N.eqb_sym. auto.
Qed.

Lemma pieces_unstopped : forall t, unstopped t = true -> pieces t = [t].
Proof.
  induction t as [| c t IH]; intro ok; [reflexivity |].
  apply unstopped_cons in ok as [other ok]. specialize (IH ok).
  destruct t as [| d u]; [reflexivity |]. cbn [pieces] in *. rewrite other. cbn [andb].
  rewrite IH. reflexivity.
Qed.

Lemma pieces_first : forall t u, unstopped t = true ->
  pieces (t ++ [stop; space] ++ u) = t :: pieces u.
Proof.
  induction t as [| c t IH]; intros u ok; [reflexivity |].
  apply unstopped_cons in ok as [other ok]. specialize (IH u ok).
  destruct t as [| d t]; cbn [pieces app] in *; rewrite other; cbn [andb]; rewrite IH; reflexivity.
Qed.

Lemma pieces_joined : forall ts, ts <> [] -> Forall (fun t => unstopped t = true) ts ->
  pieces (joined ts) = ts.
Proof.
  induction ts as [| t [| u ts] IH]; intros some ok; [contradiction | |]; inversion ok; subst.
  - simpl. apply pieces_unstopped. assumption.
  - change (joined (t :: u :: ts)) with (t ++ [stop; space] ++ joined (u :: ts)).
    rewrite pieces_first by assumption. f_equal. apply IH; [discriminate | assumption].
Qed.

Lemma in_finals : forall t s, In s (finals t) <-> exists final, In final [[]; [stop]] /\ t = s ++ final.
Proof.
  intros. unfold finals. simpl. rewrite in_optional, strip_end_iff. split.
  - intros [<- | ->]; [exists [] | exists [stop]]; rewrite ?app_nil_r; auto.
  - intros (final & [<- | [<- | []]] & ->); rewrite ?app_nil_r; auto.
Qed.

Lemma in_unless_stopped : forall A t (found : list A) x,
  In x (unless_stopped t found) <-> unstopped t = true /\ In x found.
Proof. intros. destruct (unstopped t); simpl; intuition discriminate. Qed.

Lemma names_of_statement : forall w of_events t ss, statement w of_events t ss ->
  Forall (fun name => named w name = true) (mentions ss).
Proof.
  intros w of_events t ss [u s here | u former its_said r latter here].
  - unfold mentions. simpl. rewrite app_nil_r. destruct here. repeat constructor; assumption.
  - destruct here. apply Forall_forall. intros name here. apply in_flat_map in here as (s & here & there).
    apply in_map_iff in here as ([[[b c] o] [d f]] & <- & _).
    simpl in there. destruct there as [<- | [<- | []]]; [destruct b | destruct d]; assumption.
Qed.

Lemma known_names : forall w known, Forall (fun name => named w name = true) known ->
  forall name, listed_in known name || named w name = named w name.
Proof.
  intros w known fine name. destruct (listed_in known name) eqn:e; [| reflexivity].
  unfold listed_in in e. apply existsb_exists in e as (n & here & same).
  apply same_iff in same as <-. rewrite Forall_forall in fine. rewrite fine by assumption. reflexivity.
Qed.

Lemma in_read_sentences : forall w of_events ts known ss,
  Forall (fun name => named w name = true) known ->
  In ss (read_sentences w of_events known ts) <->
  Forall2 (fun t ss => unstopped t = true /\ statement w of_events t ss) ts ss.
Proof.
  intros w of_events. induction ts as [| t ts IH]; intros known ss fine; simpl.
  - split; [intros [<- | []]; constructor | intro f; inversion f; auto].
  - assert (forall s, unstopped t = true /\ statement w of_events t s ->
      Forall (fun name => named w name = true) (mentions s ++ known)) as finer.
    { intros s [_ here]. apply Forall_app. split; [eapply names_of_statement; eassumption | assumption]. }
    assert (forall s, In s (read_statement w of_events
      (fun name => listed_in known name || named w name) t) <-> statement w of_events t s) as reads by (intro; apply read_statement_iff, known_names; assumption).
    rewrite in_flat_map. split.
    + intros (s & here & there). apply in_flat_map in there as (l & there & [<- | []]).
      apply in_unless_stopped in here. rewrite reads in here.
      constructor; [assumption |]. eapply IH; [apply finer; exact here | exact there].
    + intro f. inversion f as [| ? s ? l here there]; subst. exists s. split.
      * apply in_unless_stopped. rewrite reads. assumption.
      * apply in_flat_map. exists l. split; [| left; reflexivity].
        apply IH; [apply finer | ]; assumption.
Qed.

Theorem read_premise_iff : forall w t ss, In ss (read_premise w t) <-> premise_says w t ss.
Proof.
  intros w t ss. unfold read_premise. rewrite in_app_iff, in_flat_map. split.
  - intros [here | (u & here & there)].
    + destruct t; [destruct here as [<- | []]; constructor | contradiction].
    + apply in_finals in here as (final & ok & ->). rewrite <- (joined_pieces u).
      destruct (forallb unstopped (pieces u)); [| contradiction].
      apply in_flat_map in there as (of_events & _ & there).
      apply in_map_iff in there as (each & <- & there).
      apply (Sentences _ of_events); [apply pieces_some | | assumption].
      apply in_read_sentences in there; [exact there | constructor].
  - intros [| of_events ts each final some these ok]; [left; left; reflexivity | right].
    exists (joined ts). split; [apply in_finals; eauto |].
    assert (Forall (fun t => unstopped t = true) ts) as clean.
    { clear - these. induction these as [| t s ts l [clean _] these IH]; constructor; assumption. }
    rewrite pieces_joined by assumption.
    assert (forallb unstopped ts = true) as -> by (apply forallb_forall, Forall_forall; assumption).
    apply in_flat_map. exists of_events.
    split; [destruct of_events; simpl; auto |]. apply in_map_iff. exists each.
    split; [reflexivity |]. apply in_read_sentences; [constructor | exact these].
Qed.

(** * Claims and items *)

Lemma names_of_premise : forall w t ss, premise_says w t ss ->
  Forall (fun name => named w name = true) (mentions ss).
Proof.
  intros w t ss [| of_events ts each final _ these _]; [constructor |].
  induction these as [| u s ts each [_ here] these IH]; [constructor |].
  unfold mentions. simpl. rewrite flat_map_app. apply Forall_app. split; [| exact IH].
  eapply names_of_statement. eassumption.
Qed.

Theorem read_claim_iff : forall w known t a, Forall (fun name => named w name = true) known ->
  In a (read_claim w known t) <-> claim_says w known t a.
Proof.
  intros w known t a fine. pose proof (known_names w known fine) as the_same. clear fine.
  unfold read_claim. rewrite in_flat_map. split.
  - intros (u & here & there). apply in_finals in here as (final & ok & ->).
    apply in_app_iff in there as [there | there].
    + found_in. rewrite !the_same in there.
      destruct (named w _ && named w _) eqn:fine; [| contradiction].
      apply andb_prop in fine as [? ?]. destruct there as [<- | []]. subst.
      rewrite <- !app_assoc. eapply Says_of_events; eassumption.
    + apply in_app_iff in there as [there | there].
      { apply in_flat_map in there as ([[former [its_said [r |]]] latter] & there & here); [| contradiction].
        destruct (same former latter) eqn:other; [contradiction |].
        destruct here as [<- | []]. apply in_unless_stopped in there as [? there].
        apply read_relation_iff in there; [| exact the_same].
        eapply Says_of_two_events; eassumption. }
      apply in_map_iff in there as (s & <- & there). apply in_unless_stopped in there as [? there].
      apply read_sentence_iff in there; [| exact the_same]. constructor; assumption.
  - intros [first former relation r article latter final | u former its_said r latter final clean said other ok
      | u s final clean said ok].
    + exists (first ++ former ++ [space] ++ relation ++ [space] ++ article ++ latter). split.
      { apply in_finals. exists final. split; [assumption |]. rewrite <- !app_assoc. reflexivity. }
      apply in_app_iff. left.
      find (former ++ [space] ++ relation ++ [space] ++ article ++ latter).
      find (former, (r, [space] ++ article ++ latter)).
      find (article ++ latter).
      find latter. rewrite !the_same.
      match goal with H : named w former = true |- _ => rewrite H end.
      match goal with H : named w latter = true |- _ => rewrite H end.
      left. reflexivity.
    + exists u. split; [apply in_finals; eauto |]. apply in_app_iff. right. apply in_app_iff. left.
      apply in_flat_map. exists (former, (its_said, Some r), latter).
      split; [| rewrite other; left; reflexivity].
      apply in_unless_stopped. split; [assumption |]. apply read_relation_iff; auto.
    + exists u. split; [apply in_finals; eauto |]. apply in_app_iff. right. apply in_app_iff. right.
      apply in_map, in_unless_stopped. rewrite read_sentence_iff by exact the_same. auto.
Qed.

(** The reader finds just what the texts can say. *)
Theorem read_iff : forall w p c ss a, In (ss, a) (read w p c) <-> says w p c ss a.
Proof.
  intros w p c ss a. unfold read, says. rewrite in_flat_map. split.
  - intros (ss' & here & there). apply in_flat_map in there as (a' & there & fine).
    destruct (letters w || apart (distinct [] (names ss' a'))) eqn:ok; [| contradiction].
    destruct fine as [e | []]. injection e as -> ->.
    apply read_premise_iff in here.
    apply read_claim_iff in there; [auto | eapply names_of_premise; eassumption].
  - intros (here & there & ok). exists ss. split; [apply read_premise_iff; assumption |].
    apply in_flat_map. exists a.
    split; [apply read_claim_iff; [eapply names_of_premise; eassumption | assumption] |].
    rewrite ok. left. reflexivity.
Qed.

(** What the checker accepts from the texts: they say one item and no other, and the verdict holds of
    this item. *)
Theorem check_texts_sound : forall w p c u v k, check_texts w p c u v k = Some true ->
  exists ss a, says w p c ss a /\
    (forall ss' a', says w p c ss' a' -> ss' = ss /\ a' = a) /\
    let i := itemized ss a in
    has_status i (its_status v) /\ has_consistency i (its_consistency v) /\
    labelled_by i u (its_label v) /\ has_hops i (its_status v) (its_hops v).
Proof.
  intros w p c u v k ok. unfold check_texts in ok.
  destruct (read w p c) as [| [ss a] [|]] eqn:e; try discriminate.
  exists ss, a. split; [apply read_iff; rewrite e; left; reflexivity |]. split.
  - intros ss' a' said. apply read_iff in said. rewrite e in said.
    destruct said as [f | []]. injection f as <- <-. auto.
  - injection ok as ok. eapply check_by_sound. eassumption.
Qed.
