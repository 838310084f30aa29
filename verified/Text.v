(** Reading text: numbers, words, squares and moves. *)

Require Import List Bool String Ascii NArith.
Require Import Board.
Import ListNotations.
Open Scope char_scope.

(** Cuts a text at each occurrence of a character. There is always at least one part. *)
Fixpoint split (at_ : ascii) (text : string) : list string :=
  match text with
  | EmptyString => [EmptyString]
  | String c rest =>
      if Ascii.eqb c at_ then EmptyString :: split at_ rest
      else match split at_ rest with
           | [] => [String c EmptyString]
           | word :: words => String c word :: words
           end
  end.

(** The rest of a text after a beginning that it must have. *)
Fixpoint after (beginning text : string) : option string :=
  match beginning, text with
  | EmptyString, _ => Some text
  | String a rest, String b text => if Ascii.eqb a b then after rest text else None
  | String _ _, EmptyString => None
  end.

(** ** Numbers *)

Definition digit (c : ascii) : option N :=
  let n := N_of_ascii c in
  if N.leb 48 n && N.leb n 57 then Some (N.sub n 48) else None.

Fixpoint digits (so_far : N) (text : string) : option N :=
  match text with
  | EmptyString => Some so_far
  | String c rest =>
      match digit c with Some d => digits (N.add (N.mul 10 so_far) d) rest | None => None end
  end.

(** A number without a sign and without zeros before it. More than twenty digits are refused. *)
Definition number (text : string) : option N :=
  match text with
  | EmptyString => None
  | String "0" EmptyString => Some 0%N
  | String "0" _ => None
  | _ => if Nat.leb (String.length text) 20 then digits 0 text else None
  end.

(** A number of moves, at most 1000. *)
Definition moves_number (text : string) : option nat :=
  match number text with
  | Some n => if N.leb n 1000 then Some (N.to_nat n) else None
  | None => None
  end.

(** ** Squares and moves *)

Definition read_file (c : ascii) : option file :=
  match c with
  | "a" => Some FA | "b" => Some FB | "c" => Some FC | "d" => Some FD
  | "e" => Some FE | "f" => Some FF | "g" => Some FG | "h" => Some FH
  | _ => None
  end.

Definition read_rank (c : ascii) : option rank :=
  match c with
  | "1" => Some R1 | "2" => Some R2 | "3" => Some R3 | "4" => Some R4
  | "5" => Some R5 | "6" => Some R6 | "7" => Some R7 | "8" => Some R8
  | _ => None
  end.

Definition read_square (f r : ascii) : option square :=
  match read_file f, read_rank r with Some f, Some r => Some (Sq f r) | _, _ => None end.

(** The name of a move: where it begins and ends, and the role of a promotion. *)
Inductive name := Name (from to : square) (promotion : option role).

Definition read_promotion (text : string) : option (option role) :=
  match text with
  | EmptyString => Some None
  | String "n" EmptyString => Some (Some Knight)
  | String "b" EmptyString => Some (Some Bishop)
  | String "r" EmptyString => Some (Some Rook)
  | String "q" EmptyString => Some (Some Queen)
  | _ => None
  end.

(** Reads a name from the beginning of a text, and returns what follows the four characters of its squares. *)
Definition read_squares (text : string) : option (square * square * string) :=
  match text with
  | String a (String b (String c (String d rest))) =>
      match read_square a b, read_square c d with
      | Some from, Some to => Some (from, to, rest)
      | _, _ => None
      end
  | _ => None
  end.

Definition read_name (text : string) : option name :=
  match read_squares text with
  | Some (from, to, rest) =>
      match read_promotion rest with Some promotion => Some (Name from to promotion) | None => None end
  | None => None
  end.

(** Applies a reader to all parts of a text; all of them must be readable. *)
Fixpoint read_all {A B} (read : A -> option B) (parts : list A) : option (list B) :=
  match parts with
  | [] => Some []
  | part :: rest =>
      match read part, read_all read rest with Some x, Some xs => Some (x :: xs) | _, _ => None end
  end.

(** ** Writing *)

Definition write_file (f : file) : ascii :=
  match f with
  | FA => "a" | FB => "b" | FC => "c" | FD => "d" | FE => "e" | FF => "f" | FG => "g" | FH => "h"
  end.

Definition write_rank (r : rank) : ascii :=
  match r with
  | R1 => "1" | R2 => "2" | R3 => "3" | R4 => "4" | R5 => "5" | R6 => "6" | R7 => "7" | R8 => "8"
  end.

Definition write_square (s : square) (rest : string) : string :=
  String (write_file (file_of s)) (String (write_rank (rank_of s)) rest).

Fixpoint write_digits (fuel : nat) (n : N) (rest : string) : string :=
  match fuel with
  | O => rest
  | S fuel =>
      let (tens, ones) := N.div_eucl n 10 in
      let here := String (ascii_of_N (48 + ones)) rest in
      match tens with N0 => here | _ => write_digits fuel tens here end
  end.

Definition write_number (n : N) : string := write_digits 21 n EmptyString.
