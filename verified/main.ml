(* Reads the lines of a certificate, compares the sums in its last line, and gives the lines to the checker from Coq.

   usage: check FILE             0: the claims hold, 3: no certificate, 6: they are not proved
          check --moves          reads positions, one on each line, and prints their legal moves
          check --perft N FEN    counts the games of N half-moves *)

open Chess

(* Text and numbers, as Coq has them. *)

let characters =
  Array.init 256 (fun code ->
      let bit k = (code lsr k) land 1 = 1 in
      Ascii (bit 0, bit 1, bit 2, bit 3, bit 4, bit 5, bit 6, bit 7))

let to_coq text =
  let rec from k rest = if k < 0 then rest else from (k - 1) (String (characters.(Char.code text.[k]), rest)) in
  from (Stdlib.String.length text - 1) EmptyString

let of_coq text =
  let buffer = Buffer.create 80 in
  let bit b k = if b then 1 lsl k else 0 in
  let rec add = function
    | EmptyString -> ()
    | String (Ascii (a, b, c, d, e, f, g, h), rest) ->
        let code = bit a 0 + bit b 1 + bit c 2 + bit d 3 + bit e 4 + bit f 5 + bit g 6 + bit h 7 in
        Buffer.add_char buffer (Char.chr code);
        add rest
  in
  add text;
  Buffer.contents buffer

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> (2 * of_positive p) + 1

(* The CRC-32 of gzip. *)

let crc_table =
  Array.init 256 (fun byte ->
      let sum = ref byte in
      for _ = 1 to 8 do
        sum := if !sum land 1 = 1 then (!sum lsr 1) lxor 0xedb88320 else !sum lsr 1
      done;
      !sum)

let add_byte crc byte = crc_table.((crc lxor byte) land 255) lxor (crc lsr 8)
let add_line crc line =
  let crc = ref crc in
  Stdlib.String.iter (fun c -> crc := add_byte !crc (Char.code c)) line;
  add_byte !crc 10

(* Ends the program. *)

let finish code words =
  print_endline words;
  exit code

let no_certificate why = finish 3 ("no certificate: " ^ why)
let fails why = finish 6 ("not proved: " ^ why)

(* Lines. *)

let longest = 65535

(* The next line without its line feed. [None]: the input has ended, or has no line feed at its end. *)
let next_line input =
  let buffer = Buffer.create 256 in
  let rec read () =
    match input_char input with
    | '\n' -> Some (Buffer.contents buffer)
    | _ when Buffer.length buffer = longest -> fails "a line is longer than 65535 bytes"
    | c -> Buffer.add_char buffer c; read ()
    | exception End_of_file -> None
  in
  read ()

let verdict state =
  match Chess.finish state with
  | Accepted header -> finish 0 ("verified: " ^ of_coq (sentence header))
  | Refused why -> no_certificate (of_coq why)
  | Rejected (Some (Npos line), why) -> fails (Printf.sprintf "line %d: %s" (of_positive line) (of_coq why))
  | Rejected (_, why) -> fails (of_coq why)

let begins_with beginning line =
  let n = Stdlib.String.length beginning in
  Stdlib.String.length line >= n && Stdlib.String.sub line 0 n = beginning

let rec read input state lines crc =
  match next_line input with
  | None -> if lines = 0 then no_certificate "it has no line" else fails "the certificate is cut off"
  | Some line when begins_with "end " line ->
      let stated = Printf.sprintf "end %d %08x" lines (crc lxor 0xffffffff) in
      if line <> stated then fails "the certificate was altered or damaged: its last line has other sums";
      (match input_char input with
      | _ -> fails "the certificate goes on after its last line"
      | exception End_of_file -> verdict state)
  | Some line -> (
      match step (Npos (positive (lines + 1))) state (to_coq line) with
      | NoCertificate why when lines = 0 -> no_certificate (of_coq why)
      | state -> read input state (lines + 1) (add_line crc line))

let check_file name =
  let file = try open_in_bin name with Sys_error why -> prerr_endline why; exit 2 in
  let magic = try really_input_string file 2 with End_of_file -> "" in
  seek_in file 0;
  let input =
    if magic <> "\x1f\x8b" then file else Unix.open_process_args_in "gzip" [| "gzip"; "-dc"; "--"; name |]
  in
  read input start 0 0xffffffff

(* Moves, to compare them with those of other programs. *)

let position fen = match read_fen (to_coq fen) with Some p -> p | None -> finish 3 ("cannot be played: " ^ fen)

let print_moves () =
  try
    while true do
      let fen = input_line stdin in
      let names = List.map (fun m -> of_coq (write_move m)) (legal_moves (position fen)) in
      print_endline (fen ^ "\t" ^ Stdlib.String.concat " " names)
    done
  with End_of_file -> ()

let rec perft p depth =
  if depth = 0 then 1
  else List.fold_left (fun sum m -> sum + perft (play p m) (depth - 1)) 0 (legal_moves p)

let () =
  match Sys.argv with
  | [| _; "--moves" |] -> print_moves ()
  | [| _; "--perft"; depth; fen |] -> Printf.printf "%d\n" (perft (position fen) (int_of_string depth))
  | [| _; file |] -> check_file file
  | _ -> prerr_endline "usage: check FILE | --moves | --perft N FEN"; exit 2
