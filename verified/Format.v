(** The lines of a certificate: what they say, as text. *)

Require Import List Bool String Ascii NArith.
Require Import Board Moves Text Fen Game.
Import ListNotations.
Open Scope string_scope.

(** A value, or a sentence that says what is wrong. *)
Inductive result (A : Type) := Ok (x : A) | Error (why : string).
Arguments Ok {A}.
Arguments Error {A}.

Definition demand {A} (x : option A) (why : string) : result A :=
  match x with Some x => Ok x | None => Error why end.

Notation "'get' x <- e ; f" := (match e with Ok x => f | Error why => Error why end)
  (at level 200, x pattern, e at level 100, f at level 200).
Notation "'unless' c , 'error' why ; f" := (if c then f else Error why)
  (at level 200, c at level 100, why at level 100, f at level 200).

(** ** Moves by their names *)

Definition same_promotion (m : move) (r : option role) : bool :=
  match m, r with
  | Promotion _ _ r, Some s => same_role r s
  | Promotion _ _ _, None => false
  | _, None => true
  | _, Some _ => false
  end.

Definition has_name (n : name) (m : move) : bool :=
  match n with Name from to r => same_square (from_of m) from && same_square (to_of m) to && same_promotion m r end.

(** The legal move with this name. *)
Definition find_move (p : position) (n : name) : option move :=
  match n with
  | Name from _ _ =>
      match find (has_name n) (moves_from p from) with
      | Some m => if is_safe p m then Some m else None
      | None => None
      end
  end.

Definition read_move (p : position) (text : string) : option move :=
  match read_name text with Some n => find_move p n | None => None end.

Definition write_move (m : move) : string :=
  write_square (from_of m) (write_square (to_of m)
    (match m with
     | Promotion _ _ Knight => "n"
     | Promotion _ _ Bishop => "b"
     | Promotion _ _ Rook => "r"
     | Promotion _ _ Queen => "q"
     | _ => ""
     end)).

(** Legal moves, in the order of moves and each once. *)
Fixpoint ascending (moves : list move) : bool :=
  match moves with
  | m :: ((n :: _) as rest) => match compare_moves m n with Lt => ascending rest | _ => false end
  | _ => true
  end.

Definition read_moves (p : position) (words : list string) : option (list move) :=
  match read_all (read_move p) words with
  | Some moves => if ascending moves then Some moves else None
  | None => None
  end.

(** ** The header *)

Record header := Header {
  fen : string;
  problem_of : problem;
  claims : list claim;
}.

Definition signs : list (string * goal) :=
  [("#", Mate); ("=", Stalemate); ("s#", Selfmate); ("s=", SelfStalemate); ("semi-r#", SemiReflex); ("r#", Reflex);
   ("semi-r=", SemiReflexStalemate); ("r=", ReflexStalemate)].

(** The goal, whether the attacker begins, and the number of moves. *)
Definition read_stipulation (text : string) : option (goal * bool * nat) :=
  let read_rest g rest :=
    match after "-" rest with
    | Some n => match moves_number n with Some n => Some (g, false, n) | None => None end
    | None =>
        match moves_number rest with
        | Some (S n) => Some (g, true, S n)
        | _ => None
        end
    end in
  fold_right
    (fun sign otherwise =>
       match after (fst sign) text with
       | Some rest => match read_rest (snd sign) rest with Some found => Some found | None => otherwise end
       | None => otherwise
       end)
    None signs.

Definition read_verdict (q : problem) (text : string) : option verdict :=
  match split " " text with
  | ["none"] => Some NoKey
  | word :: ((_ :: _) as names) =>
      match read_moves (diagram q) names with
      | Some keys =>
          let number := List.length keys in
          if String.eqb word "sound" && Nat.eqb number (intended q) then Some (Sound keys)
          else if String.eqb word "cooked" && Nat.ltb (intended q) number then Some (Cooked keys)
          else if String.eqb word "short" && Nat.ltb 1 (moves_of q) then Some (Short keys)
          else None
      | None => None
      end
  | _ => None
  end.

(** A number of moves that a claim may name. *)
Definition read_length (q : problem) (text : string) : option nat :=
  match moves_number text with
  | Some n => if Nat.leb n (moves_of q) then Some n else None
  | None => None
  end.

Definition read_claim (q : problem) (text : string) : option claim :=
  match after "claim solved in " text with
  | Some n => option_map Solved (read_length q n)
  | None =>
      match after "claim no solution in " text with
      | Some n =>
          match read_length q n with
          | Some 0 => if attacker_begins q then None else Some (NoSolution 0)
          | n => option_map NoSolution n
          end
      | None =>
          match after "claim verdict " text with
          | Some v => if attacker_begins q then option_map Verdict (read_verdict q v) else None
          | None => None
          end
      end
  end.

(** Claims that may stand together. *)
Definition fit (claims : list claim) : bool :=
  match claims with
  | [_] => true
  | [Solved n; NoSolution k] => Nat.ltb k n
  | _ => false
  end.

(** Reads [intended]; without it, one solution is intended. *)
Definition read_intended (lines : list string) : option (nat * list string) :=
  match lines with
  | line :: rest =>
      match after "intended " line with
      | Some n => match moves_number n with Some (S (S n)) => Some (S (S n), rest) | _ => None end
      | None => Some (1, lines)
      end
  | [] => None
  end.

(** Reads [exclusive]; without it, no rights to castle exclude each other. *)
Definition read_pair (text : string) : option (square * square) :=
  match read_squares text with Some (a, b, EmptyString) => Some (a, b) | _ => None end.

Definition read_exclusive (lines : list string) : option (list (square * square) * list string) :=
  match lines with
  | line :: rest =>
      match after "exclusive " line with
      | Some pairs => option_map (fun pairs => (pairs, rest)) (read_all read_pair (split " " pairs))
      | None => Some ([], lines)
      end
  | [] => None
  end.

Definition with_exclusive (p : position) (pairs : list (square * square)) : position :=
  Position (men p) (turn p) (rights p) (ep p) pairs.

Definition title : string := "matesolve certificate 2".

(** Reads all lines before the first section. *)
Definition read_header (lines : list string) : result header :=
  match lines with
  | first :: second :: rest =>
      unless String.eqb first title, error "not a certificate that this checker reads";
      get fen <- demand (after "position " second) "line 2 must be: position FEN";
      get p <- demand (read_fen fen) "the position of line 2 cannot be played";
      get (pairs, rest) <- demand (read_exclusive rest) "the line after the position cannot be read";
      get (text, rest) <- demand (match rest with line :: rest => Some (line, rest) | [] => None end)
        "the header is not complete";
      get text <- demand (after "stipulation " text) "the stipulation is missing";
      get (goal, begins, moves) <- demand (read_stipulation text) "this checker does not know the stipulation";
      get (intended, rest) <- demand (read_intended rest) "the line after the stipulation cannot be read";
      let q := Problem (with_exclusive p pairs) goal moves intended begins in
      get claims <- demand (read_all (read_claim q) rest) "this checker does not know the claim";
      unless fit claims, error "these claims do not stand together";
      Ok (Header fen q claims)
  | _ => Error "the header is not complete"
  end.

(** ** Sections *)

(** The moves of the attacker in the diagram that a refutation leaves out. *)
Inductive left_out := Nothing | Except (moves : list move) | After (moves : list move).

Inductive heading := Shows (n : nat) | Refutes (n : nat) (omitted : left_out).

Definition read_left_out (p : position) (words : list string) : option left_out :=
  match words with
  | [] => Some Nothing
  | word :: ((_ :: _) as names) =>
      match read_moves p names with
      | Some moves =>
          if String.eqb word "except" then Some (Except moves)
          else if String.eqb word "after" then Some (After moves)
          else None
      | None => None
      end
  | _ => None
  end.

Definition read_heading (p : position) (text : string) : option heading :=
  match after "proof solved in " text with
  | Some n => option_map Shows (moves_number n)
  | None =>
      match after "proof no solution in " text with
      | Some rest =>
          match split " " rest with
          | n :: words =>
              match moves_number n, read_left_out p words with
              | Some n, Some omitted => Some (Refutes n omitted)
              | _, _ => None
              end
          | [] => None
          end
      | None => None
      end
  end.

(** ** Lines of a solution *)

(** [GoalStands] is [#], [Ends] is [move#], [Opens] is [move]. *)
Inductive answer := GoalStands | Ends (n : name) | Opens (n : name).

(** An answer, and to how many defences it is given. *)
Definition token : Type := answer * N.

Inductive solution_line := SameSolution (line : N) | Answers (marked : bool) (tokens : list token).

Definition read_answer (text : string) : option answer :=
  match text with
  | "#" => Some GoalStands
  | _ =>
      match read_squares text with
      | Some (from, to, rest) =>
          match split "#" rest with
          | [promotion] => option_map (fun r => Opens (Name from to r)) (read_promotion promotion)
          | [promotion; ""] => option_map (fun r => Ends (Name from to r)) (read_promotion promotion)
          | _ => None
          end
      | None => None
      end
  end.

Definition read_token (text : string) : option token :=
  match split "*" text with
  | [a] => option_map (fun a => (a, 1%N)) (read_answer a)
  | [a; n] =>
      match read_answer a, number n with
      | Some a, Some n => if N.leb 2 n then Some (a, n) else None
      | _, _ => None
      end
  | _ => None
  end.

Definition read_solution_line (text : string) : option solution_line :=
  match after "=" text with
  | Some n => option_map SameSolution (number n)
  | None =>
      let (marked, rest) := match after "& " text with Some rest => (true, rest) | None => (false, text) end in
      option_map (Answers marked) (read_all read_token (split " " rest))
  end.

(** ** Lines of a refutation *)

(** A reply with the numbers of the moves that it is for, or without numbers. *)
Definition reply : Type := name * option (list N).

Inductive refutation_line := SameRefutation (line : N) | Replies (replies : list reply).

Definition read_reply (text : string) : option reply :=
  match split ":" text with
  | [n] => option_map (fun n => (n, None)) (read_name n)
  | [n; numbers] =>
      match read_name n, read_all number (split "," numbers) with
      | Some n, Some numbers => Some (n, Some numbers)
      | _, _ => None
      end
  | _ => None
  end.

Definition read_refutation_line (text : string) : option refutation_line :=
  match after "=" text with
  | Some n => option_map SameRefutation (number n)
  | None =>
      match text with
      | "-" => Some (Replies [])
      | _ => option_map Replies (read_all read_reply (split " " text))
      end
  end.

(** ** The sentence about an accepted certificate *)

Definition goal_words (q : problem) : string :=
  match goal_of q, attacker_begins q with
  | Mate, true => "mate"
  | Mate, false => "mated"
  | Stalemate, true => "stalemate"
  | Stalemate, false => "stalemated"
  | Selfmate, _ => "selfmate"
  | SelfStalemate, _ => "selfstalemate"
  | SemiReflex, _ => "semi-reflex mate"
  | Reflex, _ => "reflex mate"
  | SemiReflexStalemate, _ => "semi-reflex stalemate"
  | ReflexStalemate, _ => "reflex stalemate"
  end.

Definition write_moves_number (n : nat) : string := write_number (N.of_nat n).

Definition write_keys (keys : list move) : string := String.concat " " (map write_move keys).

Definition claim_words (q : problem) (c : claim) : string :=
  match c with
  | Solved n => goal_words q ++ " in " ++ write_moves_number n ++ " holds"
  | NoSolution n => "no " ++ goal_words q ++ " in " ++ write_moves_number n ++ " holds"
  | Verdict v =>
      goal_words q ++ " in " ++ write_moves_number (moves_of q) ++ ": the verdict " ++
      match v with
      | NoKey => "none"
      | Sound keys => "sound (" ++ write_keys keys ++ ")"
      | Cooked keys => "cooked (" ++ write_keys keys ++ ")"
      | Short keys => "short (" ++ write_keys keys ++ ")"
      end ++ " holds"
  end.

(** The parts of a problem that are not in the FEN. *)
Definition exclusive_words (q : problem) : string :=
  String.concat "" (map (fun pair => " exclusive " ++ write_square (fst pair) (write_square (snd pair) ""))
                        (exclusive (diagram q))).

Definition intended_words (q : problem) : string :=
  match intended q with 1 => "" | n => " intended " ++ write_moves_number n end.

Definition sentence (h : header) : string :=
  String.concat ", " (map (claim_words (problem_of h)) (claims h)) ++ ": " ++ fen h
  ++ exclusive_words (problem_of h) ++ intended_words (problem_of h).
