fn main() {
    let limit: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(50);
    let mut composite = vec![false; limit + 1];
    for number in 2..=limit {
        if !composite[number] {
            println!("{number}");
            for multiple in (number * number..=limit).step_by(number) {
                composite[multiple] = true;
            }
        }
    }
}
