//! The numbers of the mates in Reinfeld's *Win at Chess* that "Mate in 38" names (Breuker, Allis & van den Herik 1994,
//! section 4.1.1), by the program that solved them within 1,000,000 nodes.

/// Solved by PROVER and by DUCK.
pub const BOTH: [u16; 66] = [
    1, 4, 5, 9, 12, 14, 27, 35, 49, 50, 54, 55, 57, 60, 61, 64, 79, 84, 88, 97, 99, 102, 103, 104, 132, 134, 136, 139,
    143, 154, 156, 158, 160, 161, 167, 172, 173, 177, 179, 184, 186, 188, 191, 197, 203, 211, 212, 215, 217, 219, 225,
    244, 246, 251, 253, 260, 263, 266, 267, 278, 282, 283, 285, 290, 295, 298,
];
/// Solved by PROVER only.
pub const PROVER: [u16; 13] = [6, 51, 138, 159, 168, 182, 218, 222, 241, 250, 252, 281, 293];
/// Solved by DUCK only.
pub const DUCK: [u16; 1] = [105];
