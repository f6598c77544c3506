import UndercroftRelational
import UndercroftSQLite

/// A mode that checks that a value is read exactly as it was written: through columns, through
/// `Codable`, and as the argument of a condition.
struct ValueMode: CheckMode {
  let name = "values"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let choices = trial.choices
    let records = (0..<choices.number(1...4)).map { Everything.generate(choices, id: Int64($0)) }
    trial.note("\(records.map(\.print))")
    let database = try Database.inMemory()
    try database.write { db in
      try Everything.table.prepare(in: db)
      try flaw.apply(in: db)
      try trial.check("record of an insertion", records[0].print) {
        try Everything.table.insertAndFetch(records[0], in: db).print
      }
      _ = try trial.run("insertion of several records") {
        try Everything.table.insertAll(records.dropFirst(), in: db)
      }
    }
    try database.read { db in
      try trial.check("records", records.map(\.print)) {
        try Everything.fetchAll(in: db).map(\.print)
      }
      try trial.check("decoded rows", records.map(\.print)) {
        try Everything.fetchAll(as: Everything.self, in: db).map(\.print)
      }
      for record in records { try find(record, records, trial, in: db) }
    }
    for record in records {
      try trial.check("encoded and decoded values", record.print) {
        let values = try ColumnValuesEncoder().encode(record)
        return try ColumnValuesDecoder().decode(Everything.self, from: values).print
      }
    }
  }

  /// Checks that a condition with the value of a property finds the record.
  private func find(
    _ record: Everything, _ records: [Everything], _ trial: Trial, in db: Connection
  ) throws {
    let table = Everything.table
    let conditions: [(String, TableQuery<Everything>)] = [
      ("double", table.where { $0.double == record.double }),
      ("float", table.where { $0.float == record.float }),
      ("text", table.where { $0.text == record.text }),
      ("data", table.where { $0.data == record.data }),
      ("uuid", table.where { $0.uuid == record.uuid }),
      ("date", table.where { $0.date == record.date }),
      ("decimal", table.where { $0.decimal == record.decimal }),
      ("url", table.where { $0.url == record.url }),
      ("tags", table.where { $0.tags == record.tags }),
      ("u64", table.where { $0.u64 == record.u64 }),
      ("maybeDouble", table.where { $0.maybeDouble == record.maybeDouble }),
      ("maybeText", table.where { $0.maybeText == record.maybeText }),
      ("maybeKind", table.where { $0.maybeKind == record.maybeKind }),
    ]
    for (name, query) in conditions {
      try trial.check("row found by its \(name)", true) {
        try query.fetchAll(in: db).contains { $0.id == record.id }
      }
    }
  }
}
