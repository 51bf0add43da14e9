(** What texts in the published wordings say: sentences about points, claims, names, items.

    These definitions are what a reader has to believe. The phrases are data: every theorem about
    texts holds for any wording. *)
From Coq Require Import List Bool Arith NArith.
From Hopcheck Require Import Meaning.
Import ListNotations.
Local Open Scope N_scope.

(** * Characters *)

(** A text is a list of characters, and these are the numbers of Unicode, but for apostrophes: see
    [folded]. *)
Definition text := list N.
Definition space : N := 32.
Definition apostrophe : N := 39.
Definition hyphen : N := 45.
Definition stop : N := 46.
Definition capital (c : N) : bool := (65 <=? c) && (c <=? 90).
Definition small (c : N) : bool := (97 <=? c) && (c <=? 122).
Definition digit (c : N) : bool := (48 <=? c) && (c <=? 57).
Definition lowered (c : N) : N := if capital c then c + 32 else c.
(** What stands in a text for a number of Unicode: an apostrophe may be typed as a closing quotation
    mark or as a letter. *)
Definition folded (c : N) : N := if (c =? 8217) || (c =? 700) then apostrophe else c.

Fixpoint same (s t : text) : bool :=
  match s, t with
  | [], [] => true
  | c :: s, d :: t => (c =? d) && same s t
  | _, _ => false
  end.
Definition listed_in (l : list text) (t : text) : bool := existsb (same t) l.

Definition uncapital (t : text) : text :=
  match t with c :: t => lowered c :: t | [] => [] end.

(** The rest of a text after its beginning [s], or before its end [s]. *)
Fixpoint strip (s t : text) : option text :=
  match s, t with
  | [], _ => Some t
  | c :: s, d :: t => if c =? d then strip s t else None
  | _ :: _, [] => None
  end.
Definition strip_end (s t : text) : option text :=
  option_map (@rev' N) (strip (rev' s) (rev' t)).
Definition ends_with (s t : text) : bool :=
  match strip_end s t with Some _ => true | None => false end.

(** The parts of a text between its spaces. *)
Fixpoint words (t : text) : list text :=
  match t with
  | [] => [[]]
  | c :: t =>
      if c =? space then [] :: words t
      else match words t with w :: ws => (c :: w) :: ws | [] => [[c]] end
  end.

(** * Wordings *)

(** What a sentence says of two events, in comparisons of their points: of each, whether it is a point
    of the latter event, and whether it is an end. *)
Definition spot := (bool * bool)%type.
Definition said := list (spot * order * spot).
(** What it says in a premise, and what it claims as a claim, if it may be one. *)
Definition meaning := (said * option (event -> event -> claim))%type.

(** The words and phrases of a domain. A point is written with a text before the name of its event,
    as in "start of Harvest", or with one after it, as in "harvest1". *)
Record wording := Wording {
  firsts : list text;        (** articles with which a text may begin, such as "The " and "" *)
  articles : list text;      (** articles within it *)
  openings : list (text * (text * bool));
                             (** how a point is written where a text begins: before the name, after
                                 it, and whether the point is the end of its event *)
  inner : list (text * (text * bool));        (** and within a text *)
  phrases : list (N * list (text * (order * text)));
                             (** phrases between two points, each without its first letter, with what
                                 it says and what follows the second point *)
  predicates : list (N * list (text * list (text * list (text * meaning))));
                             (** what may follow the name of an event, each without its first letter;
                                 what may follow it before another name; what may follow that one;
                                 and what the sentence means then *)
  relations : list (text * (event -> event -> claim)); (** a phrase between two events *)
  letters : bool;            (** whether names are small letters alone *)
  operators : list (N * list text);
                             (** words that may change the meaning of a sentence, each without its
                                 first letter *)
  of_phrases : list (N * list text);
                             (** words of other phrases between events, each without its first letter *)
  determiners : list text;
  prepositions : list text;
  between : list text;       (** small words that may be between words with capitals *)
  nouns : list text;         (** words in -ly or -ed that are nouns *)
  verbs : list text          (** words that a name does not end with *)
}.

(** * Names *)

(** Letters, in groups joined by an apostrophe or a hyphen. *)
Fixpoint lettered (inside : bool) (t : text) : bool :=
  match t with
  | [] => inside
  | c :: t =>
      if small c || capital c then lettered true t
      else ((c =? apostrophe) || (c =? hyphen)) && inside && lettered false t
  end.
Definition numeral (t : text) : bool :=
  match t with [] => false | _ => forallb digit t end.
Definition begins_small (t : text) : bool := match t with c :: _ => small c | [] => false end.
Definition begins_capital (t : text) : bool := match t with c :: _ => capital c | [] => false end.
Definition apostrophes (t : text) : bool := existsb (N.eqb apostrophe) t.
Definition stem (t : text) : text :=
  if apostrophes t
  then match strip_end [apostrophe; 115] t with Some s => s | None => t end (* 's *)
  else t.
Fixpoint listed_by_letter (l : list (N * list text)) (t : text) : bool :=
  match l, t with
  | (d, rests) :: l, c :: rest => (c =? d) && listed_in rests rest || listed_by_letter l t
  | _, _ => false
  end.

(** The words of a name, without its numerals, each after the one before it and with whether a word
    before it has a capital. None may change the meaning of a sentence. *)
Fixpoint plain (w : wording) (previous : option text) (capitals : bool) (ws : list text) : bool :=
  match ws with
  | [] => true
  | x :: rest =>
      let low := stem match previous with None => map lowered x | Some _ => x end in
      let adverb := ends_with [108; 121] low && negb (existsb capital low) in (* ly *)
      negb (listed_by_letter (operators w) low) && negb (apostrophes low) &&
      (negb adverb || (length low <=? 3)%nat || listed_in (nouns w) low) &&
      (negb (listed_in (determiners w) (match previous with None => low | Some _ => x end)) ||
       match previous with None => false | Some p => listed_in (prepositions w) p end) &&
      (negb (begins_small x) ||
       (negb (capitals && existsb begins_capital rest) || listed_in (between w) x) &&
       match previous, rest with
       | Some _, [] =>
           (negb (ends_with [101; 100] x) || listed_in (nouns w) x) && (* ed *)
           negb (listed_in (verbs w) x)
       | _, _ => true
       end) &&
      plain w (Some x) (capitals || begins_capital x) rest
  end.

(** A text that may be the name of an event, with no word that may be read otherwise. *)
Definition named (w : wording) (t : text) : bool :=
  if letters w then match t with [] => false | _ => forallb small t end
  else
    let ws := words t in
    (length t <=? 200)%nat && forallb (fun x => lettered false x || numeral x) ws &&
    negb (listed_in (prepositions w) (hd [] ws)) &&
    negb (listed_in (prepositions w) (last ws [])) &&
    plain w None false (filter (lettered false) ws).

(** A name between phrases about events: with no word of another such phrase. *)
Definition apart_from_phrases (w : wording) (t : text) : bool :=
  negb (existsb (listed_by_letter (of_phrases w)) (words t)).

(** * Sentences *)

(** A point: the name of its event, and whether it is the end. *)
Definition place := (text * bool)%type.
(** What a sentence about two points says. *)
Definition stated := (place * order * place)%type.

(** [sentence w t s]: the text, which has no full stop, says [s]. *)
Inductive sentence (w : wording) : text -> stated -> Prop :=
  | Sentence first opening after is_end article former letter begun link order closing article_b
      opening_b after_b is_end_b article_c latter :
      In first (firsts w) -> In (opening, (after, is_end)) (openings w) -> In article (articles w) ->
      In (letter, begun) (phrases w) -> In (link, (order, closing)) begun ->
      In article_b (articles w) -> In (opening_b, (after_b, is_end_b)) (inner w) ->
      In article_c (articles w) -> named w former = true -> named w latter = true ->
      sentence w
        (first ++ opening ++ article ++ (former ++ after) ++ [space] ++ [letter] ++ link ++ [space] ++
         article_b ++ opening_b ++ article_c ++ latter ++ after_b ++ closing)
        ((former, is_end), order, (latter, is_end_b)).

(** The place of an event, and whether it is the end. *)
Definition place_in (former latter : text) (at_spot : spot) : place :=
  let '(of_latter, is_end) := at_spot in (if of_latter : bool then latter else former, is_end).

(** What follows a name, if anything does. *)
Definition spaced (t : text) : text := match t with [] => [] | _ => space :: t end.

(** [relates w t former m latter]: the text is a verb or a relation between two events. *)
Inductive relates (w : wording) : text -> text -> meaning -> text -> Prop :=
  | Relates t first former letter begun verb continued link closed article latter closing m :
      t = first ++ former ++ [space] ++ [letter] ++ verb ++ link ++ [space] ++ article ++ latter ++
          spaced closing ->
      begins_capital t = true -> In first (firsts w) -> In (letter, begun) (predicates w) ->
      In (verb, continued) begun -> In (link, closed) continued -> In article (articles w) ->
      In (closing, m) closed -> named w former = true -> named w latter = true ->
      apart_from_phrases w (uncapital former) = true -> apart_from_phrases w latter = true ->
      relates w t former m latter.

(** [statement w of_events t ss]: the text says [ss], about two points or about two events. *)
Inductive statement (w : wording) : bool -> text -> list stated -> Prop :=
  | Of_points t s : sentence w t s -> statement w false t [s]
  | Of_events t former its_said r latter :
      relates w t former (its_said, r) latter ->
      statement w true t
        (map (fun '(p, o, q) => (place_in former latter p, o, place_in former latter q)) its_said).

Definition unstopped (t : text) : bool := negb (existsb (N.eqb stop) t).

(** Sentences one after the other, with ". " between them. *)
Fixpoint joined (ts : list text) : text :=
  match ts with
  | [] => []
  | [t] => t
  | t :: ts => t ++ [stop; space] ++ joined ts
  end.

(** [premise_says w t ss]: the sentences of a premise say [ss], in this order. All are about points, or
    all are about events. A full stop may follow the last one. *)
Inductive premise_says (w : wording) : text -> list stated -> Prop :=
  | Nothing : premise_says w [] []
  | Sentences of_events ts each final :
      ts <> [] -> Forall2 (fun t ss => unstopped t = true /\ statement w of_events t ss) ts each ->
      In final [[]; [stop]] -> premise_says w (joined ts ++ final) (concat each).

(** * Claims *)

Inductive assertion :=
  | About_events (former : text) (relation : event -> event -> claim) (latter : text)
  | About_points (s : stated).

(** A claim may give the first event that it names a capital letter. *)
Definition meant (known : list text) (former latter : text) : text :=
  if listed_in (latter :: known) former then former
  else if listed_in (latter :: known) (uncapital former) then uncapital former
  else former.

(** [claim_says w known t a]: the text says [a], after a premise with the events [known]. *)
Inductive claim_says (w : wording) (known : list text) : text -> assertion -> Prop :=
  | Says_of_events first former relation r article latter final :
      In first (firsts w) -> In (relation, r) (relations w) -> In article (articles w) ->
      In final [[]; [stop]] -> named w former = true -> named w latter = true ->
      claim_says w known
        (first ++ former ++ [space] ++ relation ++ [space] ++ article ++ latter ++ final)
        (About_events (meant known former latter) r latter)
  | Says_of_two_events t former its_said r latter final :
      unstopped t = true -> relates w t former (its_said, Some r) latter ->
      same former latter = false -> In final [[]; [stop]] ->
      claim_says w known (t ++ final) (About_events former r latter)
  | Says_of_points t s final :
      unstopped t = true -> sentence w t s -> In final [[]; [stop]] ->
      claim_says w known (t ++ final) (About_points s).

(** * Items *)

Definition places (s : stated) : list text :=
  let '((former, _), _, (latter, _)) := s in [former; latter].
Definition mentions (ss : list stated) : list text := flat_map places ss.
Definition names (ss : list stated) (a : assertion) : list text :=
  mentions ss ++ match a with About_events former _ latter => [former; latter] | About_points s => places s end.

(** Whether words have others within them, one after the other. *)
Fixpoint begins (ws vs : list text) : bool :=
  match ws, vs with
  | [], _ => true
  | w :: ws, v :: vs => same w v && begins ws vs
  | _ :: _, [] => false
  end.
Fixpoint has_within (ws vs : list text) : bool :=
  begins ws vs || match vs with _ :: vs => has_within ws vs | [] => false end.

(** No name is another one, in small letters or capitals, or another one with words before or after
    it. *)
Definition apart (ts : list text) : bool :=
  let names := map (fun t => (t, words (map lowered t))) ts in
  forallb (fun '(s, xs) => forallb (fun '(t, ys) => same s t || negb (has_within xs ys)) names) names.

(** Events are numbered in the order of their first mention. *)
Fixpoint distinct (seen ts : list text) : list text :=
  match ts with
  | [] => []
  | t :: ts => if listed_in seen t then distinct seen ts else t :: distinct (t :: seen) ts
  end.
Fixpoint place_of (ts : list text) (t : text) : nat :=
  match ts with
  | [] => 0
  | s :: ts => if same s t then 0 else S (place_of ts t)
  end.

(** The item that sentences and a claim are about. *)
Definition itemized (ss : list stated) (a : assertion) : item :=
  let events := distinct [] (names ss a) in
  let point '(name, is_end) :=
    if is_end : bool then finish (place_of events name) else start (place_of events name) in
  {| premise := map (fun '(p, o, q) => (point p, o, point q)) ss;
     claimed :=
       match a with
       | About_events former r latter => r (place_of events former) (place_of events latter)
       | About_points (p, o, q) => Points (point p) o (point q)
       end |}.

(** [says w p c ss a]: the texts of a premise and of a claim say these sentences and this claim. *)
Definition says (w : wording) (p c : text) (ss : list stated) (a : assertion) : Prop :=
  premise_says w p ss /\ claim_says w (mentions ss) c a /\
  letters w || apart (distinct [] (names ss a)) = true.
