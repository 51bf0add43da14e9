(** The reader: all that a premise and a claim can say, found by trying each phrase at each place.

    Nothing here has to be believed: [read_iff] proves that it finds just what [says] allows. *)
From Coq Require Import List Bool Arith NArith Lia.
From Hopcheck Require Import Meaning Checker Published Reading.
Import ListNotations.
Local Open Scope N_scope.

(** * The program *)

Notation "'for' x 'in' l , e" := (flat_map (fun x => e) l)
  (at level 200, x pattern, l at level 100, e at level 200).

Definition optional {A} (o : option A) : list A := match o with Some x => [x] | None => [] end.

(** What may stand after one of these texts; with its value. *)
Definition after_each (l : list text) (t : text) : list text :=
  for s in l, optional (strip s t).
Fixpoint after_any {A} (l : list (text * A)) (t : text) : list (A * text) :=
  match l with
  | [] => []
  | (s, a) :: l => match strip s t with Some rest => (a, rest) :: after_any l t | None => after_any l t end
  end.

(** What stands before a space, with what is read after it. *)
Fixpoint around_space {A} (read : text -> list A) (t : text) : list (text * A) :=
  match t with
  | [] => []
  | c :: t =>
      (if c =? space then map (fun a => ([], a)) (read t) else []) ++
      map (fun '(s, a) => (c :: s, a)) (around_space read t)
  end.

(** The same for texts that are listed without their first letters. *)
Fixpoint after_letters {A} (l : list (N * list (text * A))) (t : text) : list (A * text) :=
  match l, t with
  | (letter, begun) :: l, c :: rest =>
      if letter =? c then after_any begun rest ++ after_letters l t else after_letters l t
  | _, _ => []
  end.

(** [ok]: whether a text may be a name. *)
Definition read_sentence (w : wording) (ok : text -> bool) (t : text) : list stated :=
  for t in after_each (firsts w) t,
  for ((after, is_end), t) in after_any (openings w) t,
  for t in after_each (articles w) t,
  for (side, ((order, closing), t)) in around_space (after_letters (phrases w)) t,
  for former in optional (strip_end after side),
  for t in optional (strip [space] t),
  for t in after_each (articles w) t,
  for ((after_b, is_end_b), t) in after_any (inner w) t,
  for t in after_each (articles w) t,
  for latter in optional (strip_end (after_b ++ closing) t),
  (if ok former && ok latter then [((former, is_end), order, (latter, is_end_b))] else []).

(** What may stand before one of these texts, or before nothing if that is one; with its value. *)
Definition before_any {A} (l : list (text * A)) (t : text) : list (text * A) :=
  (for (s, a) in l, match s with [] => [(t, a)] | _ => [] end) ++
  around_space (fun u =>
    for (s, a) in l, match s with [] => [] | _ => if same s u then [a] else [] end) t.

Definition read_relation (w : wording) (ok : text -> bool) (t : text) : list (text * meaning * text) :=
  if begins_capital t then
    for t in after_each (firsts w) t,
    for (former, (continued, t)) in around_space (after_letters (predicates w)) t,
    if ok former && apart_from_phrases w (uncapital former) then
      for (closed, t) in after_any continued t,
      for t in optional (strip [space] t),
      for t in after_each (articles w) t,
      for (latter, m) in before_any closed t,
      (if ok latter && apart_from_phrases w latter then [(former, m, latter)] else [])
    else []
  else [].

Definition read_of_events (w : wording) (ok : text -> bool) (t : text) : list (list stated) :=
  map (fun '(former, (its_said, _), latter) =>
         map (fun '(p, o, q) => (place_in former latter p, o, place_in former latter q)) its_said)
    (read_relation w ok t).

Definition read_statement (w : wording) (of_events : bool) (ok : text -> bool) (t : text) :
  list (list stated) :=
  if of_events then read_of_events w ok t else map (fun s => [s]) (read_sentence w ok t).

(** The sentences between ". ". *)
Fixpoint pieces (t : text) : list text :=
  match t with
  | [] => [[]]
  | c :: ((d :: u) as t) =>
      if (c =? stop) && (d =? space) then [] :: pieces u
      else match pieces t with s :: ts => (c :: s) :: ts | [] => [] end
  | [c] => [[c]]
  end.

(** Nothing, without a look, if there is a full stop. *)
Notation "'unless_stopped' t e" := (if unstopped t then e else []) (at level 10, t at level 9, e at level 9).

(** All ways to read texts one after the other. A name that was read before need not be looked at
    again. *)
Fixpoint read_sentences (w : wording) (of_events : bool) (known : list text) (ts : list text) :
  list (list (list stated)) :=
  match ts with
  | [] => [[]]
  | t :: ts =>
      for s in unless_stopped t
        (read_statement w of_events (fun name => listed_in known name || named w name) t),
      for ss in read_sentences w of_events (mentions s ++ known) ts,
      [s :: ss]
  end.

(** A text with or without its last full stop. *)
Definition finals (t : text) : list text := t :: optional (strip_end [stop] t).

Definition read_premise (w : wording) (t : text) : list (list stated) :=
  match t with [] => [[]] | _ => [] end ++
  (for t in finals t,
   let ts := pieces t in
   if forallb unstopped ts then
     for of_events in [false; true], map (@concat stated) (read_sentences w of_events [] ts)
   else []).

Definition read_claim (w : wording) (known : list text) (t : text) : list assertion :=
  let ok name := listed_in known name || named w name in
  for t in finals t,
  (for t in after_each (firsts w) t,
   for (former, (r, t)) in around_space (after_any (relations w)) t,
   for t in optional (strip [space] t),
   for latter in after_each (articles w) t,
   (if ok former && ok latter then [About_events (meant known former latter) r latter] else []))
  ++ (for (former, (_, r), latter) in unless_stopped t (read_relation w ok t),
      match r with
      | Some r => if same former latter then [] else [About_events former r latter]
      | None => []
      end)
  ++ map About_points (unless_stopped t (read_sentence w ok t)).

Definition read (w : wording) (p c : text) : list (list stated * assertion) :=
  for ss in read_premise w p,
  for a in read_claim w (mentions ss) c,
  (if letters w || apart (distinct [] (names ss a)) then [(ss, a)] else []).

(** The checker from the texts; [None] if they say nothing in this wording, or more than one thing. *)
Definition check_texts (w : wording) (p c : text) (u : rule) (v : verdict) (k : certificate) :
  option bool :=
  match read w p c with
  | [(ss, a)] => Some (check_by (itemized ss a) u v k)
  | _ => None
  end.
