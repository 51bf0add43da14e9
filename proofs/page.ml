(* The checker as a JavaScript module: answer(line). The primitives are those of js_of_ocaml. *)
type value

external expression : string -> value = "caml_pure_js_expr"
external set : value -> value -> value -> unit = "caml_js_set"
external of_string : string -> value = "caml_js_from_string"
external to_string : value -> string = "caml_js_to_string"
external callback : (value -> value) -> value = "caml_js_wrap_callback"

let () =
  let answer = callback (fun line -> of_string (Lines.answer (to_string line))) in
  set (expression "jsoo_exports") (of_string "answer") answer
