//! May it run? Pure functions from a call's facts to a decision with reasons.
