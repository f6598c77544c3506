import UndercroftCore

/// The numbers of objects with each member.
struct MemberStatistics {
  /// The number of objects.
  private(set) var count = 0
  private var counts: [ExactString: Int] = [:]
  /// The maximum number of different members that are counted.
  private static let maximumMembers = 1_000

  /// Counts an object with the given members.
  mutating func add(_ members: [ExactString]) {
    count += 1
    for member in members where counts.count < Self.maximumMembers || counts[member] != nil {
      counts[member, default: 0] += 1
    }
  }

  /// The first five members that at least nine of ten objects have, as text, or `nil` if there are
  /// fewer than two, because objects with one common member are rarely rows.
  var commonMembers: String? {
    let common = counts.filter { $0.value * 10 >= count * 9 }.keys.sorted()
    guard common.count >= 2 else { return nil }
    return common.prefix(5).map(\.text).joined(separator: ", ")
  }
}
