fn main(){}
//! x
