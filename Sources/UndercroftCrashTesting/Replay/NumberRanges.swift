/// A description of numbers as ranges, such as "0–5, 10 and 12–14".
struct NumberRanges: CustomStringConvertible {
  private var ranges: [ClosedRange<Int>] = []

  init(_ numbers: some Sequence<Int>) {
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound + 1 >= number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
  }

  var description: String {
    let parts = ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
    }
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "none" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}
