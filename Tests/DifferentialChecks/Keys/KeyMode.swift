import UndercroftRelational
import UndercroftSQLite

/// A mode that checks NOCASE keys, keys of several columns, `WITHOUT ROWID`, limited deletes and
/// updates, and pages during writes.
struct KeyMode: CheckMode {
  let name = "keys"
  var flaw = Flaw()

  func run(_ trial: Trial) throws {
    let database = try Database.inMemory()
    var model = KeyModel()
    try database.write { db in
      try Word.table.prepare(in: db)
      try Place.table.prepare(in: db)
      try flaw.apply(in: db)
      let words = WordWriter(trial: trial)
      let places = PlaceWriter(trial: trial)
      try trial.choices.repeated(atMost: 24) {
        if trial.choices.oneIn(3) {
          try places.step(&model, in: db)
        } else {
          try words.step(&model, in: db)
        }
        try trial.check("words after a write", model.sortedWords) {
          try Word.fetchAll(in: db)
        }
        try trial.check("places after a write", model.sortedPlaces) {
          try Place.fetchAll(in: db)
        }
      }
    }
    try trial.check("integrity", []) { try database.integrityCheck() }
  }
}
