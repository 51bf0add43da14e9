(* Reads an item, a verdict and a certificate in a line, as integers separated by spaces, and says
   whether the checker accepts them. The word "texts" is before the texts of the item, which the
   checker reads itself, in a wording that an earlier line gave after the word "wording"; after the
   word "chain" come the steps of a chain too, and after the words "graph" and "links" a labelled
   graph or a document with links instead; "question" is about the "facts" of an earlier line. README.md describes the order of the integers. *)
open Checker

exception Malformed

(* Greater points, indices, hops and lengths are refused: unary numbers take memory. *)
let limit = 100_000

let natural n =
  if n < 0 || n > limit then raise Malformed;
  let rec add n k = if n = 0 then k else add (n - 1) (S k) in
  add n O

let digit c = match c with '0' .. '9' -> natural (Char.code c - 48) | _ -> raise Malformed

(* A decimal number of any length. *)
let whole word =
  let negative = word.[0] = '-' in
  let digits = if negative then String.sub word 1 (String.length word - 1) else word in
  if digits = "" then raise Malformed;
  let z = String.fold_left (fun z c -> append_digit z (digit c)) Z0 digits in
  if negative then Z.opp z else z

(* What reads the integers of a line, one after the other. *)
class words (of_line : string list) = object (self)
  val mutable left = of_line
  method ended = left = []
  method word = match left with [] -> raise Malformed | w :: rest -> left <- rest; w
  method int = Option.fold (int_of_string_opt self#word) ~none:(-2) ~some:Fun.id
  method nat = natural self#int
  method opt = match self#int with -1 -> None | n -> Some (natural n)
  method integer = whole self#word
  method choice : 'a. 'a array -> 'a = fun of_ ->
    let n = self#int in
    if n < 0 || n >= Array.length of_ then raise Malformed else of_.(n)
  method list : 'a. ?most:int -> (unit -> 'a) -> 'a list = fun ?(most = limit) read ->
    let n = self#int in
    if n < 0 || n > most then raise Malformed;
    let rec more n found = if n = 0 then List.rev found else more (n - 1) (read () :: found) in
    more n []
end

(* Facts and instances are numbered in binary. *)
let most_facts = 5_000_000

let accepts_graph (words : words) =
  let integer () = words#integer in
  let flag () = words#choice [| false; true |] in
  let number () = number (integer ()) in
  let step () =
    let subject = integer () in let verb = integer () in { subject; verb; target = integer () } in
  let pair () = let low = integer () in (low, integer ()) in
  let pattern () =
    let antecedents = words#list step in
    let consequence = step () in
    let lags = words#list pair in
    { antecedents; consequence; lags; due = flag () } in
  let horizon = integer () in
  let injective = flag () in
  let config = { horizon; injective; depth = words#opt } in
  let forward = flag () in
  let patterns = words#list pattern in
  let shapes = Array.of_list patterns in
  let fact () =
    let head = integer () in let rel = integer () in let tail = integer () in
    let time = integer () in
    let level = words#nat in
    ({ head; rel; tail; time }, (level, number ())) in
  let facts = words#list ~most:most_facts fact in
  let instance () =
    let shape = words#choice shapes in
    let planted = flag () in
    { shape; planted; rows = words#list number } in
  let instances = words#list ~most:most_facts instance in
  if not words#ended then raise Malformed;
  let graph = numbered (List.rev (List.rev_map fst facts)) in
  let levels = numbered (List.rev (List.rev_map snd facts)) in
  check_graph config graph (numbered instances) levels forward patterns

(* The facts and the inferences that questions are about, as an earlier line gave them. *)
let known_facts = ref None
let known_inferences = ref [||]
let known_decay = ref []

let fact (words : words) =
  let head = words#integer in let rel = words#integer in let tail = words#integer in
  { head; rel; tail; time = words#integer }

let way (words : words) = words#choice [| Forwards; Backwards |]

let learn_facts (words : words) =
  let facts = words#list ~most:most_facts (fun () -> fact words) in
  let decay = words#list (fun () -> words#integer) in
  let folds = words#list (fun () -> words#list ~most:most_facts (fun () ->
    let implied = words#integer in let direction = way words in
    let by_relation = words#integer in let confidence = words#integer in
    { implied; direction; by_relation; confidence; bodies = words#integer })) in
  if not words#ended then raise Malformed;
  known_facts := Some (found_in facts);
  known_decay := decay;
  known_inferences :=
    Array.of_list (List.map (fun fold -> (Array.of_list fold, inferences_found fold)) folds)

let accepts_question (words : words) =
  let integer () = words#integer in
  let facts = match !known_facts with Some facts -> facts | None -> raise Malformed in
  let question () = match words#int with
    | 1 ->
      let w = way words in let a = integer () in let r = integer () in One_hop (w, a, r, integer ())
    | 2 ->
      let w = way words in let a = integer () in let r = integer () in
      let v = way words in let s = integer () in Two_hop (w, a, r, v, s, integer ())
    | _ -> raise Malformed in
  let ended accepts = if words#ended then accepts else raise Malformed in
  match words#int with
  | 0 ->
    let asked = question () in
    let answers = words#list integer in
    ended (check_answers facts asked answers)
  | 1 ->
    let f = fact words in
    ended (check_so facts f.head f.rel f.tail f.time)
  | 2 ->
    let a = integer () in let r = integer () in let b = integer () in
    ended (check_unknown facts a r b)
  | 3 ->
    let inferences, all = words#choice !known_inferences in
    let f = fact words in
    let choice () =
      let f = fact words in
      let i = words#choice inferences in
      ((f, i), integer ()) in
    let best = choice () in
    let others = words#list choice in
    ended (check_plausible (decay_in !known_decay) facts all f.head f.rel f.tail f.time best others)
  | _ -> raise Malformed

let accepts_links (words : words) =
  let nat () = words#nat in
  let integer () = words#integer in
  let flag () = words#choice [| false; true |] in
  let link () =
    let left_node = nat () in let right_node = nat () in
    let says = words#choice [|
      Is_before; Is_after; Just_before; Just_after; Includes; Is_included; Is_simultaneous;
      Begins_it; Begun_by_it; Ends_it; Ended_by_it; Overlaps_it; Starts_before; Starts_after;
      Starts_with; Is_vague |] in
    { left_node; right_node; says } in
  let move () = let p = nat () in let q = nat () in ((p, q), words#opt) in
  let by_allen = flag () in
  let nodes = nat () in
  let links = words#list link in
  let dated = words#list (fun () -> let p = nat () in (p, integer ())) in
  let document = { by_allen; nodes; links; dated } in
  let consistent = flag () in
  let line = if consistent then words#list integer else [] in
  let cycle = if consistent then [] else words#list move in
  let verdict () =
    if consistent then check_consistent document line else check_inconsistent document cycle in
  match words#list (fun () ->
    let before = words#list link in
    let weights = words#list integer in
    let changed = words#list flag in
    let cycles = words#list (fun () -> words#list move) in
    ({ document with links = before }, weights, changed, cycles, integer ()))
  with
  | _ when not words#ended -> raise Malformed
  | [] -> verdict ()
  | [ (before, weights, changed, cycles, cost) ] when consistent ->
    verdict () && check_repair before weights changed line cycles cost
  | _ -> raise Malformed

let orders = [| Before; After; Simultaneous; Not_after; Not_before |]
let allen = [| Precedes; Meets; Overlaps; Finished_by; Contains; Starts; Equals; Started_by; During;
               Finishes; Overlapped_by; Met_by; Preceded_by |]

(* A claim of a kind about two events, or two points. *)
let claim_of kind a b = match kind with
  | 0 -> Happens_before (a, b)
  | 1 -> Happens_after (a, b)
  | 2 -> Overlaps_with (a, b)
  | 3 | 4 | 5 -> Points (a, orders.(kind - 3), b)
  | 19 | 20 -> Points (a, orders.(kind - 16), b)
  | _ -> if kind < 6 || kind > 18 then raise Malformed else Allen (a, allen.(kind - 6), b)

(* A text: the letter x, and four hexadecimal digits for each character; or a and two digits. *)
let character code = character (whole (string_of_int code))
let ascii = Array.init 128 character
let text (words : words) () =
  let word = words#word in
  let hexadecimal k = match word.[k] with
    | '0' .. '9' as c -> Char.code c - 48
    | 'a' .. 'f' as c -> Char.code c - 87
    | _ -> raise Malformed in
  let byte k = 16 * hexadecimal (k - 1) + hexadecimal k in
  let last = String.length word - 1 in
  let rec wide k found =
    if k = 0 then found
    else
      let code = 256 * byte (k - 2) + byte k in
      wide (k - 4) ((if code < 128 then ascii.(code) else character code) :: found) in
  let rec narrow k found =
    if k = 0 then found
    else
      let code = byte k in
      if code > 127 then raise Malformed else narrow (k - 2) (ascii.(code) :: found) in
  match word.[0] with
  | 'x' when last land 3 = 0 -> wide last []
  | 'a' when last land 1 = 0 -> narrow last []
  | _ -> raise Malformed

(* The wordings that were given, by their numbers. *)
let wordings = Array.make 8 None

let learn (words : words) =
  let text = text words in
  let texts () = words#list text in
  let flag () = words#choice [| false; true |] in
  let openings () = words#list (fun () ->
    let before = text () in let after = text () in (before, (after, flag ()))) in
  let number = words#int in
  if number < 0 || number > 7 then raise Malformed;
  let firsts = texts () in
  let articles = texts () in
  let at_first = openings () in
  let inner = openings () in
  let by_letter read = words#list (fun () ->
    let letter = words#choice ascii in (letter, words#list read)) in
  let phrases = by_letter (fun () ->
    let link = text () in let order = words#choice orders in (link, (order, text ()))) in
  let spot () = let of_latter = flag () in (of_latter, flag ()) in
  let compared () = let p = spot () in let o = words#choice orders in ((p, o), spot ()) in
  let claimed () =
    let kind = words#int in
    let p = spot () in let q = spot () in
    let point (of_latter, is_end) a b =
      let e = if of_latter then b else a in if is_end then finish e else start e in
    if kind > 2 && kind < 6 || kind > 18 then
      (ignore (claim_of kind O O); fun a b -> claim_of kind (point p a b) (point q a b))
    else (ignore (claim_of kind O O); claim_of kind) in
  let array read = Array.of_list (words#list read) in
  let closings = array texts in
  let closed = array (fun () ->
    List.concat (words#list (fun () ->
      let some = words#choice closings in
      let said = words#list compared in
      let claimed = match words#list claimed with
        | [] -> None | [ claim ] -> Some claim | _ -> raise Malformed in
      List.map (fun closing -> (closing, (said, claimed))) some))) in
  let continued = array (fun () -> words#list (fun () ->
    let link = text () in (link, words#choice closed))) in
  let predicates = by_letter (fun () ->
    let verb = text () in (verb, words#choice continued)) in
  let relations = words#list (fun () ->
    let phrase = text () in
    let kind = words#int in
    if kind < 0 || kind > 18 || (kind > 2 && kind < 6) then raise Malformed;
    (phrase, claim_of kind)) in
  let letters = flag () in
  let operators = by_letter text in
  let of_phrases = by_letter text in
  let determiners = texts () in
  let prepositions = texts () in
  let between = texts () in
  let nouns = texts () in
  let verbs = texts () in
  if not words#ended then raise Malformed;
  wordings.(number) <- Some { firsts; articles; openings = at_first; inner; phrases; predicates; relations;
    letters; operators; of_phrases; determiners; prepositions; between; nouns; verbs }

let answer_of accepted = if accepted then "accepted" else "rejected"

let judge_item (words : words) ~chain ~texts =
  let int () = words#int in
  let nat () = words#nat in
  let opt () = words#opt in
  let integer () = words#integer in
  let choice of_ = words#choice of_ in
  let list read = words#list read in
  let order () = choice orders in
  let relation () = let p = nat () in let o = order () in let q = nat () in ((p, o), q) in
  let claim () = let kind = int () in let a = nat () in claim_of kind a (nat ()) in
  let route () = let first = nat () in (first, list opt) in
  let table () = let origin = nat () in
    let loosely = list integer in { origin; loosely; strictly = list integer } in
  let rule () = match int () with
    | 0 -> By_policy Local
    | 1 -> By_policy Global
    | n ->
      if n < 2 || n > 33 then raise Malformed;
      let bit k = (n - 2) lsr k land 1 = 1 in
      By_procedure { simultaneous = bit 0; same_event = bit 1; seen_early = bit 2;
                     pair_unchecked = bit 3; by_absence = bit 4 } in
  let texts = if not texts then None else
    match choice wordings with
    | None -> raise Malformed
    | Some wording ->
      let premise = text words () in
      Some (wording, premise, text words ()) in
  let premise = list relation in
  let item = { premise; claimed = claim () } in
  let rule = rule () in
  let its_status = choice [| Entailed; Refuted; Unknown; Contradictory |] in
  let its_consistency = choice [| false; true |] in
  let label () = choice [| True_label; False_label; Undefined |] in
  let its_label = label () in
  let its_hops = opt () in
  let walks = list route in
  let cycle = match list route with [] -> None | [w] -> Some w | _ -> raise Malformed in
  let timelines = list (fun () -> list integer) in
  let potentials = list table in
  let verdict = { its_status; its_consistency; its_label; its_hops } in
  let certificate = { walks; cycle; timelines; potentials } in
  let statement () = match int () with
    | 0 -> Holds (list relation)
    | 1 -> Does_not_hold (list relation)
    | 2 -> Possible (list relation)
    | 3 -> Not_derivable (list relation)
    | 4 -> Left_open (list relation)
    | 5 -> On_timeline (list (fun () -> let p = nat () in (p, integer ())))
    | 6 -> Answer (label ())
    | n ->
      let others = [| Claim_contradictory; Premise_contradictory; Premise_consistent; Unreadable;
                      Assumed; Takes_back |] in
      if n < 7 || n > 12 then raise Malformed else others.(n - 7) in
  let judgement () =
    choice [| Contradicts; Open; Carried; Unread; Withdrawn; Follows; Restated; Silent |] in
  let counterexample () = match int () with
    | 0 -> let k = nat () in By_timeline (k, list integer)
    | 1 -> let k = nat () in By_set (k, list nat)
    | _ -> raise Malformed in
  let part () = match int () with
    | 0 -> Shows (list route)
    | 1 -> Shows_not (counterexample ())
    | 2 -> Denies (By_cycle (route ()))
    | 3 -> let k = nat () in Denies (By_complement (k, route ()))
    | 4 -> Allows (By_model (list integer))
    | 5 -> Allows (By_timelines (list (fun () -> list integer)))
    | 6 -> Carries (list route)
    | 7 -> Carries_not (counterexample ())
    | 8 -> Places (list integer)
    | 9 -> Breaks (route ())
    | _ -> raise Malformed in
  let judged () =
    let s = statement () in let v = judgement () in ((s, v), list part) in
  let step () = let account = list judged in (account, judgement ()) in
  let steps = if chain then Some (let steps = list step in (steps, opt ())) else None in
  if not words#ended then raise Malformed;
  match steps, texts with
  | None, None -> answer_of (check_by item rule verdict certificate)
  | Some (steps, first), _ -> answer_of (check_chain item rule verdict certificate steps first)
  | None, Some (wording, premise, claim) ->
    match
      try check_texts wording premise claim rule verdict certificate with Stack_overflow -> None
    with
    | Some accepted -> answer_of accepted
    | None -> answer_of (check_by item rule verdict certificate) ^ " unread"

(* The premise and the claim that texts say, as integers; "unread" if not just one is found, or if they
   are too long for the stack. *)
let reading (words : words) =
  match words#choice wordings with
  | None -> raise Malformed
  | Some wording ->
    let premise = text words () in
    let claim = text words () in
    if not words#ended then raise Malformed;
    match (try read wording premise claim with Stack_overflow -> []) with
    | [ (sentences, assertion) ] ->
      let rec int = function O -> 0 | S n -> 1 + int n in
      let index of_ x =
        let rec at k = if of_.(k) == x then k else at (k + 1) in at 0 in
      let relation ((p, o), q) = [ int p; index orders o; int q ] in
      let item = itemized sentences assertion in
      let claimed = match item.claimed with
        | Happens_before (a, b) -> [ 0; int a; int b ]
        | Happens_after (a, b) -> [ 1; int a; int b ]
        | Overlaps_with (a, b) -> [ 2; int a; int b ]
        | Points (p, o, q) -> let k = index orders o in
          [ (if k < 3 then k + 3 else k + 16); int p; int q ]
        | Allen (a, r, b) -> [ index allen r + 6; int a; int b ] in
      let numbers = List.length item.premise :: List.concat_map relation item.premise @ claimed in
      String.concat " " (List.map string_of_int numbers)
    | _ -> "unread"

let judge line =
  match List.filter (( <> ) "") (String.split_on_char ' ' line) with
  | "graph" :: rest -> answer_of (accepts_graph (new words rest))
  | "links" :: rest -> answer_of (accepts_links (new words rest))
  | "facts" :: rest -> learn_facts (new words rest); "accepted"
  | "question" :: rest -> answer_of (accepts_question (new words rest))
  | "wording" :: rest -> learn (new words rest); "accepted"
  | "texts" :: rest -> judge_item (new words rest) ~chain:false ~texts:true
  | "read" :: rest -> reading (new words rest)
  | "chain" :: rest -> judge_item (new words rest) ~chain:true ~texts:false
  | words_of_item -> judge_item (new words words_of_item) ~chain:false ~texts:false

let answer line = try judge line with Malformed | Stack_overflow -> "malformed"
