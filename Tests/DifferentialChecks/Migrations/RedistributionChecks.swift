import UndercroftMigration
import UndercroftSQLite

/// Checks of the redistribution of rows to a different number of partitions, by the remainder of
/// the keys.
struct RedistributionChecks {
  let trial: Trial

  private struct Row: Equatable {
    var id: Int64
    var text: String
  }

  func run() throws {
    let choices = trial.choices
    let (old, new) = (choices.number(1...4), choices.number(1...5))
    let name = choices.pick(["book", "two words", "quo\"te", "it's"])
    let isUnique = choices.oneIn(3)
    let database = try Database.inMemory()
    var id = Int64(-choices.below(5))
    var rows: [Row] = []
    for _ in 0..<choices.number(0...8) {
      id += Int64(choices.number(1...3))
      let row = Row(id: id, text: choices.pick(["a", "b", "c", "d", "e"]))
      let isTaken = rows.contains { other in
        other.text == row.text
          && [old, new].contains { Self.place(other.id, $0) == Self.place(row.id, $0) }
      }
      if !isUnique || !isTaken { rows.append(row) }
    }
    trial.note("\(name) from \(old) to \(new), unique \(isUnique): \(rows)")
    try database.write { db in
      for place in 0..<old {
        try db.execute(
          """
          CREATE TABLE \(identifier: "\(name)_\(place)") (
            id INTEGER PRIMARY KEY, text TEXT\(SQL(unchecked: isUnique ? " UNIQUE" : "")))
          """)
      }
      for row in rows {
        try db.execute(
          """
          INSERT INTO \(identifier: "\(name)_\(Self.place(row.id, old))")
          VALUES (\(row.id), \(row.text))
          """)
      }
    }
    try database.write { db in
      try trial.run("redistribution whose end is allowed") {
        try db.redistribute(name, key: "id", from: old, to: new)
      }
      for place in 0..<new {
        try trial.check(
          "rows after a redistribution", rows.filter { Self.place($0.id, new) == place }
        ) {
          try db.fetchAll("SELECT id, text FROM \(identifier: "\(name)_\(place)") ORDER BY id") {
            row in
            Row(id: try row[0], text: try row[1])
          }
        }
      }
      try trial.check("tables that are left over", false) {
        try db.tableExists("\(name)_\(new)")
      }
    }
  }

  private static func place(_ id: Int64, _ count: Int) -> Int {
    Int(((id % Int64(count)) + Int64(count)) % Int64(count))
  }
}
