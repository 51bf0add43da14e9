(* The checker as a program: an answer for each line. *)
let () =
  try
    while true do
      print_endline (Lines.answer (input_line stdin))
    done
  with End_of_file -> ()
