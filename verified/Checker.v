(** The checker: a state, and what each line of a certificate does to it. *)

Require Import List Bool String NArith FMapPositive.
Require Import Board Moves Text Game Format Same Nodes.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.

(** ** The stacks

    A stack leads from the position whose line comes next back to the diagram. Each frame is a position that has
    opened others: [waiting] are those whose lines come later than the one that is being worked on. *)

Record shown_frame := ShownFrame {
  shown_position : position;
  shown_line : option positive;   (* its line, if later ones may refer to it *)
  shown_waiting : list position;
  shown_length : nat;             (* the length so far *)
}.

Record refuted_frame := RefutedFrame {
  refuted_position : position;
  refuted_line : positive;
  refuted_waiting : list position;
}.

(** Complete positions, by line: with their length, or with the moves left in which they are refuted. *)
Definition memory := PositiveMap.t (position * nat).

Definition line_key (line : N) : positive := N.succ_pos line.

Definition store (known : memory) (line : option positive) (p : position) (n : nat) : memory :=
  match line with Some l => PositiveMap.add l (p, n) known | None => known end.

(** What comes next after a position of a solution has become complete. *)
Inductive shown_next :=
| ShownDone (known : memory) (length : nat)
| ShownNext (known : memory) (stack : list shown_frame) (next : position).

Fixpoint close_shown (known : memory) (stack : list shown_frame) (length : nat) : shown_next :=
  match stack with
  | [] => ShownDone known length
  | f :: below =>
      let total := Nat.max (shown_length f) (S length) in
      match shown_waiting f with
      | next :: rest => ShownNext known (ShownFrame (shown_position f) (shown_line f) rest total :: below) next
      | [] => close_shown (store known (shown_line f) (shown_position f) total) below total
      end
  end.

(** The same for a refutation. [k] are the moves left in the position that has become complete, and [first] are the
    positions that the diagram has opened and that wait. *)
Inductive refuted_next :=
| RefutedDone (known : memory)
| RefutedNext (known : memory) (first : list position) (stack : list refuted_frame) (k : nat) (next : position).

Fixpoint close_refuted (known : memory) (first : list position) (stack : list refuted_frame) (k : nat)
  : refuted_next :=
  match stack with
  | [] => match first with [] => RefutedDone known | next :: rest => RefutedNext known rest [] k next end
  | f :: below =>
      match refuted_waiting f with
      | next :: rest =>
          RefutedNext known first (RefutedFrame (refuted_position f) (refuted_line f) rest :: below) k next
      | [] => close_refuted (store known (Some (refuted_line f)) (refuted_position f) (S k)) first below (S k)
      end
  end.

(** ** The state *)

(** A section that is complete. [Shown first n]: the attacker reaches the goal within [n] moves, with the move [first]
    if he begins. [Refuted n omitted]: he does not within [n] moves, apart from the moves that are left out. *)
Inductive section := Shown (first : option move) (n : nat) | Refuted (n : nat) (omitted : left_out).

(** What is kept from section to section: the complete positions, and the complete sections, the last one first. *)
Record kept := Kept {
  head : header;
  shown : memory;
  refuted : memory;
  sections : list section;
}.

Inductive state :=
| InHeader (lines : list string)      (* the lines so far, the last one first *)
| Between (b : kept)                  (* before a section, or after the last one *)
| BeginsShown (b : kept) (n : nat)    (* before the first line of a solution *)
| InShown (b : kept) (n extra : nat) (first : option move) (stack : list shown_frame) (next : position)
| BeginsRefuted (b : kept) (n : nat) (omitted : left_out)
| InRefuted (b : kept) (n : nat) (omitted : left_out) (first : list position) (stack : list refuted_frame)
            (k : nat) (next : position)
| NoCertificate (why : string)
| Failed (line : N) (why : string).

Definition diagram_of (b : kept) : position := diagram (problem_of (head b)).
Definition goal_in (b : kept) : goal := goal_of (problem_of (head b)).
Definition begins_in (b : kept) : bool := attacker_begins (problem_of (head b)).

Definition with_section (b : kept) (s : section) : kept := Kept (head b) (shown b) (refuted b) (s :: sections b).
Definition with_shown (b : kept) (known : memory) : kept := Kept (head b) known (refuted b) (sections b).
Definition with_refuted (b : kept) (known : memory) : kept := Kept (head b) (shown b) known (sections b).

Definition to_state (line : N) (r : result state) : state :=
  match r with Ok s => s | Error why => Failed line why end.

(** ** Lines of a solution *)

(** The end of a section: the length must be the number of the section. [extra] is 1 if the attacker has begun. *)
Definition end_shown (b : kept) (n : nat) (first : option move) (length : nat) : result state :=
  unless Nat.eqb length n, error "the section ends with another length than it states";
  Ok (Between (with_section b (Shown first n))).

Definition continue_shown (b : kept) (n extra : nat) (first : option move) (next : shown_next) : result state :=
  match next with
  | ShownDone known length => end_shown (with_shown b known) n first (extra + length)
  | ShownNext known stack next => Ok (InShown (with_shown b known) n extra first stack next)
  end.

(** The line of position [p]. *)
Definition shown_step (b : kept) (n extra : nat) (first : option move) (stack : list shown_frame) (p : position)
  (line : N) (text : string) : result state :=
  get parsed <- demand (read_solution_line text) "the line cannot be read";
  match parsed with
  | SameSolution l =>
      get (q, length) <- demand (PositiveMap.find (line_key l) (shown b))
        "=L names a line that does not begin with & or is not complete";
      unless same_position q p, error "=L names the line of another position";
      continue_shown b n extra first (close_shown (shown b) stack length)
  | Answers marked tokens =>
      get (length, opened) <- demand (solution_node (goal_in b) p tokens)
        "the answers do not fit the defences: one is not legal, reaches no goal, is missing or is too many";
      let own := if marked then Some (line_key line) else None in
      match opened with
      | [] => continue_shown b n extra first (close_shown (store (shown b) own p length) stack length)
      | next :: rest => Ok (InShown b n extra first (ShownFrame p own rest length :: stack) next)
      end
  end.

(** The line of the diagram. *)
Definition first_shown (b : kept) (n : nat) (line : N) (text : string) : result state :=
  let p := diagram_of b in
  let g := goal_in b in
  if begins_in b then
    match read_solution_line text with
    | Some (Answers _ [(Ends a, 1%N)]) =>
        get m <- demand (attack_move g p a) "the first move is not legal";
        unless stands_after_attack g (play p m), error "the goal does not stand after the first move";
        end_shown b n (Some m) 1
    | Some (Answers _ [(Opens a, 1%N)]) =>
        get m <- demand (attack_move g p a) "the first move is not legal";
        Ok (InShown b n 1 (Some m) [] (play p m))
    | _ => Error "the line is not a move of the attacker"
    end
  else if stands_after_attack g p then
    unless String.eqb text "#", error "the goal stands in the diagram: its line must be #";
    end_shown b n None 0
  else shown_step b n 0 None [] p line text.

(** ** Lines of a refutation *)

Definition end_refuted (b : kept) (n : nat) (omitted : left_out) : state :=
  Between (with_section b (Refuted n omitted)).

Definition continue_refuted (b : kept) (n : nat) (omitted : left_out) (next : refuted_next) : state :=
  match next with
  | RefutedDone known => end_refuted (with_refuted b known) n omitted
  | RefutedNext known first stack k next => InRefuted (with_refuted b known) n omitted first stack k next
  end.

(** The line of position [p] with [k] moves left. *)
Definition refuted_step (b : kept) (n : nat) (omitted : left_out) (first : list position)
  (stack : list refuted_frame) (k : nat) (p : position) (line : N) (text : string) : result state :=
  get parsed <- demand (read_refutation_line text) "the line cannot be read";
  match parsed with
  | SameRefutation l =>
      get (q, k') <- demand (PositiveMap.find (line_key l) (refuted b))
        "=L names a line that has no replies or is not complete";
      unless Nat.leb k k', error "=L names a line with fewer moves left";
      unless same_position q p, error "=L names the line of another position";
      Ok (continue_refuted b n omitted (close_refuted (refuted b) first stack k))
  | Replies replies =>
      match k with
      | 0 => Error "no move is left"
      | S k' =>
          get opened <- demand
            (refute_all (goal_in b) k' p (fun _ => true) replies 0 (legal_moves p))
            "a move of the attacker is not refuted";
          match opened with
          | [] =>
              let known := store (refuted b) (Some (line_key line)) p k in
              Ok (continue_refuted b n omitted (close_refuted known first stack k))
          | next :: rest =>
              Ok (InRefuted b n omitted first (RefutedFrame p (line_key line) rest :: stack) k' next)
          end
      end
  end.

Definition counts (omitted : left_out) (m : move) : bool :=
  match omitted with
  | Nothing => true
  | Except moves => negb (if in_dec move_eq m moves then true else false)
  | After moves => if in_dec move_eq m moves then true else false
  end.

(** The heading of a refutation. If the diagram is closed, the section has no lines. *)
Definition begin_refuted (b : kept) (n : nat) (omitted : left_out) : result state :=
  let p := diagram_of b in
  let g := goal_in b in
  if begins_in b then
    unless negb (stands_after_defence g p), error "the goal stands in the diagram";
    match n with
    | 0 => Error "the section must leave the attacker a move"
    | 1 =>
        unless attacker_must_end g p
               || forallb (fun m => negb (counts omitted m && reached_now g (play p m))) (legal_moves p),
          error "the attacker reaches the goal in one move";
        Ok (end_refuted b n omitted)
    | _ =>
        if closed g n p then Ok (end_refuted b n omitted)
        else Ok (BeginsRefuted b n omitted)
    end
  else
    unless (match omitted with Nothing => true | _ => false end),
      error "moves are left out although the defender begins";
    unless negb (stands_after_attack g p), error "the goal stands in the diagram";
    if has_move p then Ok (BeginsRefuted b n omitted) else Ok (end_refuted b n omitted).

(** Goes on after the line of the diagram has opened these positions with [k] moves left. *)
Definition open_first (b : kept) (n : nat) (omitted : left_out) (opened : list position) (k : nat) : state :=
  match opened with
  | [] => end_refuted b n omitted
  | next :: rest => InRefuted b n omitted rest [] k next
  end.

(** The line of the diagram. *)
Definition first_refuted (b : kept) (n : nat) (omitted : left_out) (text : string) : result state :=
  let p := diagram_of b in
  let g := goal_in b in
  match read_refutation_line text with
  | Some (Replies replies) =>
      if begins_in b then
        match n with
        | 0 => Error "no move is left"
        | S k =>
            get opened <- demand (refute_all g k p (counts omitted) replies 0 (legal_moves p))
              "a move of the attacker in the diagram is not refuted";
            Ok (open_first b n omitted opened k)
        end
      else
        match replies with
        | [(name, None)] =>
            get d <- demand (reply_move g p name) "the first move is not legal";
            get opened <- demand (after_reply g n p d) "the first move does not refute";
            Ok (open_first b n omitted opened n)
        | _ => Error "the line is not a move of the defender"
        end
  | _ => Error "the line of the diagram cannot be read"
  end.

(** ** All lines *)

Definition begin_section (b : kept) (text : string) : result state :=
  get parsed <- demand (read_heading (diagram_of b) text) "this line cannot begin a section";
  match parsed with
  | Shows n => Ok (BeginsShown b n)
  | Refutes n omitted => begin_refuted b n omitted
  end.

Definition header_limit : nat := 12.

(** A line before the first section, or the heading of the first section. *)
Definition header_step (lines : list string) (line : N) (text : string) : state :=
  match lines, String.eqb text title with
  | [], false => NoCertificate "not a certificate that this checker reads"
  | _, _ =>
      match after "proof " text with
      | None => if Nat.leb header_limit (List.length lines)
                then NoCertificate "the header is too long" else InHeader (text :: lines)
      | Some _ =>
          match read_header (rev lines) with
          | Ok h => to_state line (begin_section (Kept h (PositiveMap.empty _) (PositiveMap.empty _) []) text)
          | Error why => NoCertificate why
          end
      end
  end.

(** What the line with this number does to the state. *)
Definition step (line : N) (s : state) (text : string) : state :=
  match s with
  | InHeader lines => header_step lines line text
  | Between b => to_state line (begin_section b text)
  | BeginsShown b n => to_state line (first_shown b n line text)
  | InShown b n extra first stack p => to_state line (shown_step b n extra first stack p line text)
  | BeginsRefuted b n omitted => to_state line (first_refuted b n omitted text)
  | InRefuted b n omitted first stack k p =>
      to_state line (refuted_step b n omitted first stack k p line text)
  | NoCertificate _ | Failed _ _ => s
  end.

(** ** The end *)

Definition section_eq (x y : section) : {x = y} + {x <> y}.
Proof.
  assert (forall a b : left_out, {a = b} + {a <> b}) by (decide equality; apply moves_eq).
  decide equality; try apply PeanoNat.Nat.eq_dec.
  decide equality; apply move_eq.
Defined.

Definition sections_eq (x y : list section) : bool := if list_eq_dec section_eq x y then true else false.

(** The solutions of a problem with a short one: each begins with its key, and one of them is shorter than [m]. *)
Fixpoint are_solutions (m : nat) (keys : list move) (found : list section) : bool :=
  match keys, found with
  | [], [] => true
  | k :: keys, Shown (Some first) n :: found =>
      (if move_eq k first then true else false) && Nat.leb n m && are_solutions m keys found
  | _, _ => false
  end.

Definition is_shorter (m : nat) (s : section) : bool :=
  match s with Shown _ n => Nat.ltb n m | Refuted _ _ => false end.

(** The sections of a problem that is sound or cooked. *)
Definition unique_sections (m : nat) (keys : list move) : list section :=
  (map (fun k => Shown (Some k) m) keys ++ [Refuted m (Except keys)]
   ++ (if Nat.ltb 1 m then [Refuted (m - 1) (After keys)] else [])).

Fixpoint each_once (moves : list move) : bool :=
  match moves with
  | [] => true
  | m :: rest => negb (if in_dec move_eq m rest then true else false) && each_once rest
  end.

(** Whether the complete sections are those that a verdict asks for. *)
Definition fits_verdict (q : problem) (v : verdict) (found : list section) : bool :=
  let m := moves_of q in
  match v with
  | NoKey => sections_eq found [Refuted m Nothing]
  | Sound keys =>
      each_once keys && Nat.eqb (List.length keys) (intended q) && sections_eq found (unique_sections m keys)
  | Cooked keys =>
      each_once keys && Nat.ltb (intended q) (List.length keys) && sections_eq found (unique_sections m keys)
  | Short keys =>
      let solutions := removelast found in
      each_once keys && are_solutions m keys solutions && existsb (is_shorter m) solutions
      && sections_eq found (solutions ++ [Refuted m (Except keys)])
  end.

(** Whether the complete sections are those that the claims ask for. *)
Definition fits (h : header) (found : list section) : bool :=
  let q := problem_of h in
  match claims h with
  | [Solved n] => match found with [Shown _ k] => Nat.eqb n k | _ => false end
  | [NoSolution n] => sections_eq found [Refuted n Nothing]
  | [Solved n; NoSolution k] =>
      match found with
      | [Shown _ k'; r] => Nat.eqb n k' && sections_eq [r] [Refuted k Nothing]
      | _ => false
      end
  | [Verdict v] => attacker_begins q && fits_verdict q v found
  | _ => false
  end.

(** The answer of the checker. [Refused]: the file is no certificate. [Rejected]: it proves nothing. *)
Inductive verification :=
| Accepted (h : header)
| Refused (why : string)
| Rejected (line : option N) (why : string).

Definition finish (s : state) : verification :=
  match s with
  | Between b =>
      if fits (head b) (rev (sections b)) then Accepted (head b)
      else Rejected None "the sections are not those that the claims ask for"
  | InHeader lines =>
      match read_header (rev lines) with
      | Ok _ => Rejected None "the certificate ends before its proof"
      | Error why => Refused why
      end
  | NoCertificate why => Refused why
  | Failed line why => Rejected (Some line) why
  | _ => Rejected None "the certificate ends before its proof is complete"
  end.

(** Reads lines, the first of which has this number. *)
Fixpoint run (line : N) (s : state) (lines : list string) : state :=
  match lines with
  | [] => s
  | text :: rest => run (N.succ line) (step line s text) rest
  end.

Definition start : state := InHeader [].

(** The checker. [lines] are the lines of the file before the last one, without their line feeds. *)
Definition check (lines : list string) : verification := finish (run 1 start lines).
