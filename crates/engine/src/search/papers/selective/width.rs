//! The width of a search and the prices of moves.
//!
//! A narrow search looks at short lists of candidates, a wider one at longer lists. The **width** of a search is the
//! sum that the attacker may spend in a line, and every move of his has a **price**. A move that costs more than the
//! width left is not on the list, but for checks and captures in the first two plies. After a move, the width left is
//! smaller by its price.
//!
//! The unit is a quarter of a bit. A move after which the defender has 2ᵏ replies costs 4k, plus a surcharge or less
//! a rebate, by the class of the candidate (`candidates`). So the width limits the size of the proofs that are looked
//! for. [`Width::FULL`] discards nothing.

/// The price of a move, in quarters of a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Price(pub u16);

impl Price {
    /// Returns the price of a move after which the defender has this many replies: four times the binary logarithm,
    /// interpolated linearly between powers of two.
    pub fn of_replies(replies: usize) -> Price {
        let replies = replies.clamp(1, 1 << 10) as u32;
        let whole = replies.ilog2();
        Price((4 * whole + ((4 * replies) >> whole) - 4) as u16)
    }

    /// Returns the price in whole bits, rounded down.
    pub const fn in_bits(self) -> u16 {
        self.0 / 4
    }

    /// Returns the price increased by a surcharge.
    pub const fn plus(self, surcharge: u16) -> Price {
        Price(self.0 + surcharge)
    }

    /// Returns the price reduced by a rebate, but at least `least`.
    pub fn minus(self, rebate: u16, least: Price) -> Price {
        Price(self.0.saturating_sub(rebate)).max(least)
    }
}

/// The sum of the prices that the attacker may spend from a node on, in quarters of a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Width(u16);

impl Width {
    /// Every move is on the list.
    pub const FULL: Width = Width(u16::MAX);

    /// Returns a width of `quarters` quarters of a bit. It is always below [`Width::FULL`].
    pub const fn quarters(quarters: u16) -> Width {
        Width(if quarters == u16::MAX { quarters - 1 } else { quarters })
    }

    /// Returns whether no move is discarded.
    pub fn is_full(self) -> bool {
        self == Width::FULL
    }

    /// Returns the width after a move, or `None` if the move costs more than is left.
    pub fn after(self, price: Price) -> Option<Width> {
        if self.is_full() { Some(self) } else { self.0.checked_sub(price.0).map(Width) }
    }

    /// Returns whether a move of this price is on the list.
    pub fn affords(self, price: Price) -> bool {
        self.after(price).is_some()
    }

    /// Returns the width increased by `quarters` quarters of a bit.
    #[must_use]
    pub fn wider(self, quarters: u16) -> Width {
        if self.is_full() { self } else { Width::quarters(self.0.saturating_add(quarters)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_of_replies_is_four_times_the_binary_logarithm() {
        let prices = [0, 1, 2, 3, 4, 5, 6, 8, 16, 32].map(|n| Price::of_replies(n).0);
        assert_eq!(prices, [0, 0, 4, 6, 8, 9, 10, 12, 16, 20]);
        assert_eq!(Price::of_replies(5).in_bits(), 2);
    }

    #[test]
    fn a_line_is_as_wide_as_the_sum_of_its_prices() {
        let width = Width::quarters(10);
        assert_eq!(width.after(Price(4)).and_then(|width| width.after(Price(6))), Some(Width::quarters(0)));
        assert!(!width.affords(Price(11)) && width.wider(1).affords(Price(11)));
        assert_eq!(Width::FULL.after(Price(60_000)), Some(Width::FULL));
        assert!(Width::quarters(u16::MAX) < Width::FULL);
    }
}
