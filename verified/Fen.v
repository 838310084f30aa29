(** Reading a position in Forsyth-Edwards notation. *)

Require Import List Bool String Ascii NArith.
Require Import Board Moves Text.
Import ListNotations.
Open Scope char_scope.

Definition read_man (c : ascii) : option content :=
  match c with
  | "P" => Some (Man White Pawn) | "p" => Some (Man Black Pawn)
  | "N" => Some (Man White Knight) | "n" => Some (Man Black Knight)
  | "B" => Some (Man White Bishop) | "b" => Some (Man Black Bishop)
  | "R" => Some (Man White Rook) | "r" => Some (Man Black Rook)
  | "Q" => Some (Man White Queen) | "q" => Some (Man Black Queen)
  | "K" => Some (Man White King) | "k" => Some (Man Black King)
  | _ => None
  end.

(** Reads a rank from left to right. [todo] are the files that are not yet read. *)
Fixpoint read_row (b : board) (r : rank) (todo : list file) (text : string) : option board :=
  match text with
  | EmptyString => match todo with [] => Some b | _ => None end
  | String c rest =>
      match read_man c, todo with
      | Some man, f :: todo => read_row (set b (Sq f r) man) r todo rest
      | Some _, [] => None
      | None, _ =>
          match digit c with
          | Some d =>
              let n := N.to_nat d in
              if Nat.leb 1 n && Nat.leb n (List.length todo) then read_row b r (skipn n todo) rest else None
          | None => None
          end
      end
  end.

Fixpoint read_rows (b : board) (top_down : list rank) (rows : list string) : option board :=
  match top_down, rows with
  | [], [] => Some b
  | r :: top_down, row :: rows =>
      match read_row b r files row with Some b => read_rows b top_down rows | None => None end
  | _, _ => None
  end.

Definition read_men (text : string) : option board := read_rows empty_board (rev ranks) (split "/" text).

Definition read_turn (text : string) : option color :=
  match text with
  | String "w" EmptyString => Some White
  | String "b" EmptyString => Some Black
  | _ => None
  end.

(** ** Castling rights *)

(** The rooks and the king of a side on its back rank, from the a-file to the h-file. *)
Definition back_rank_squares (c : color) : list square := map (fun f => Sq f (back_rank c)) files.
Definition castling_men (b : board) (c : color) : list square :=
  filter (fun s => is_man c Rook (get b s) || is_man c King (get b s)) (back_rank_squares c).

Definition upper (c : ascii) : ascii :=
  let n := N_of_ascii c in if N.leb 97 n && N.leb n 122 then ascii_of_N (N.sub n 32) else c.
Definition lower (c : ascii) : ascii :=
  let n := N_of_ascii c in if N.leb 65 n && N.leb n 90 then ascii_of_N (N.add n 32) else c.

(** The square that a letter of the castling rights names. [K] is the outermost rook on the side of the h-file and [Q]
    the outermost one on the side of the a-file; other letters are files. [Some None]: there is no such rook. *)
Definition read_right (b : board) (letter : ascii) : option (option square) :=
  let c := if Ascii.eqb letter (upper letter) then White else Black in
  let king_home := existsb (fun s => is_man c King (get b s)) (back_rank_squares c) in
  let rook s := if king_home && is_man c Rook (get b s) then Some s else None in
  match lower letter with
  | "k" => Some (match rev (castling_men b c) with s :: _ => rook s | [] => None end)
  | "q" => Some (match castling_men b c with s :: _ => rook s | [] => None end)
  | f => match read_file f with Some f => Some (rook (Sq f (back_rank c))) | None => None end
  end.

Fixpoint read_rights (b : board) (letters : string) : option (list square) :=
  match letters with
  | EmptyString => Some []
  | String c rest =>
      match read_right b c, read_rights b rest with
      | Some (Some s), Some others => Some (s :: others)
      | Some None, Some others => Some others
      | _, _ => None
      end
  end.

(** Rights in the order of squares, each once. Two rooks of one side on the same side of their king are refused. *)
Definition read_castling (b : board) (text : string) : option (list square) :=
  match text with
  | String "-" EmptyString => Some []
  | EmptyString => None
  | _ =>
      match read_rights b text with
      | None => None
      | Some rooks =>
          let rooks := filter (fun s => existsb (same_square s) rooks) squares in
          let side c s :=
            match king_square b c with
            | Some k => Nat.ltb (file_index (file_of k)) (file_index (file_of s))
            | None => false
            end in
          let count c kingside :=
            List.length
              (filter (fun s => same_rank (rank_of s) (back_rank c) && Bool.eqb (side c s) kingside) rooks) in
          if forallb (fun c => Nat.leb (count c true) 1 && Nat.leb (count c false) 1) [White; Black]
          then Some rooks else None
      end
  end.

(** ** The en passant square *)

(** A square that no pawn can have passed is not kept: it lies behind a pawn of the other side on its fourth rank, and
    the pawn came over it from its second rank. *)
Definition passed (b : board) (c : color) (s : square) : bool :=
  match next (forward c) s, next (forward (other c)) s with
  | Some home, Some pawn =>
      same_rank (rank_of home) (pawn_rank (other c)) && is_empty (get b home) && is_empty (get b s)
      && is_man (other c) Pawn (get b pawn)
  | _, _ => false
  end.

Definition read_ep (b : board) (c : color) (text : string) : option (option square) :=
  match text with
  | String "-" EmptyString => Some None
  | String f (String r EmptyString) =>
      match read_square f r with
      | Some s => Some (if passed b c s then Some s else None)
      | None => None
      end
  | _ => None
  end.

(** ** Positions *)

(** One king for each side, no pawn on the first or the last rank, and the side that has moved is not in check. *)
Definition playable (p : position) : bool :=
  let count x := List.length (filter (fun s => is_man x King (get (men p) s)) squares) in
  let pawn s := is_man White Pawn (get (men p) s) || is_man Black Pawn (get (men p) s) in
  Nat.eqb (count White) 1 && Nat.eqb (count Black) 1
  && negb (existsb pawn (back_rank_squares White)) && negb (existsb pawn (back_rank_squares Black))
  && negb (in_check (men p) (other (turn p))).

Definition counter (text : string) : bool :=
  match text with
  | EmptyString => false
  | _ => match digits 0 text with Some _ => Nat.leb (String.length text) 9 | None => false end
  end.

Definition read_fen (text : string) : option position :=
  match split " " text with
  | placement :: side :: castling :: passed_square :: counters =>
      match read_men placement, read_turn side with
      | Some b, Some c =>
          match read_castling b castling, read_ep b c passed_square with
          | Some rights, Some ep =>
              let p := Position b c rights ep [] in
              if forallb counter counters && Nat.leb (List.length counters) 2 && playable p then Some p else None
          | _, _ => None
          end
      | _, _ => None
      end
  | _ => None
  end.
