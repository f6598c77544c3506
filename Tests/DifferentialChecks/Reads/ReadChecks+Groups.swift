import UndercroftRelational
import UndercroftSQLite

extension ReadChecks {
  /// Compares groups by a number and by a NOCASE string, with a condition on the number of rows.
  func groups(in db: Connection) throws {
    let predicate = predicates.generate(1)
    let least = choices.below(3)
    trial.note("groups where \(predicate.text) having more than \(least)")
    let query = query(predicate)
    let expected = model(predicate)
    try trial.check("groups by a number", Group.of(expected, least) { "\($0.b ?? -99)" }) {
      try query.group { $0.b }.having { $0.rowCount > least }
        .select(as: Group.init(number:count:most:)) { ($0.b, $0.rowCount, $0.a.max) }
        .fetchAll(in: db).sorted()
    }
    try trial.check(
      "groups by a text of NOCASE", Group.of(expected, least) { $0.t?.asciiLowercased ?? "NULL" }
    ) {
      try query.group { $0.t }.having { $0.rowCount > least }
        .select(as: Group.init(text:count:most:)) { ($0.t, $0.rowCount, $0.a.max) }
        .fetchAll(in: db).sorted()
    }
  }
}

/// A group of rows with its key as text.
struct Group: Equatable, Comparable {
  var key: String
  var count: Int
  var most: Int?

  @Sendable init(number: Int?, count: Int, most: Int?) {
    (key, self.count, self.most) = ("\(number ?? -99)", count, most)
  }

  @Sendable init(text: String?, count: Int, most: Int?) {
    (key, self.count, self.most) = (text?.asciiLowercased ?? "NULL", count, most)
  }

  /// Returns the groups with more than `least` items.
  static func of(_ items: [Item], _ least: Int, by key: (Item) -> String) -> [Group] {
    var groups: [String: Group] = [:]
    for item in items {
      let key = key(item)
      var group = groups[key] ?? Group(text: key, count: 0, most: nil)
      group.key = key
      group.count += 1
      group.most = Swift.max(group.most ?? item.a, item.a)
      groups[key] = group
    }
    return groups.values.filter { $0.count > least }.sorted()
  }

  static func < (lhs: Group, rhs: Group) -> Bool {
    (lhs.key, lhs.count) < (rhs.key, rhs.count)
  }
}
