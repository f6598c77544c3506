import UndercroftRelational
import UndercroftSQLite

/// A writer that writes and finds records of ``Word`` by one key, by several keys, and by an order
/// with a limit.
struct WordWriter {
  let trial: Trial

  private var choices: Choices { trial.choices }

  func step(_ model: inout KeyModel, in db: Connection) throws {
    switch choices.below(8) {
    case 0, 1, 2: try write(&model, in: db)
    case 3: try find(model, in: db)
    case 4: try updateKeys(&model, in: db)
    case 5: try deleteKeys(&model, in: db)
    case 6: try limited(&model, in: db)
    default: try pages(&model, in: db)
    }
  }

  private func write(_ model: inout KeyModel, in db: Connection) throws {
    let word = Word.generate(choices)
    let isUpsert = choices.oneIn(2)
    trial.note("\(isUpsert ? "upsert" : "insert") \(word)")
    try trial.step("write of a word", &model) { model in
      guard let place = model.index(word.text) else {
        model.words.append(word)
        return "\(word)"
      }
      guard isUpsert else { throw Refusal(reason: "the key is in use") }
      // The key retains the spelling with which it was first written.
      model.words[place].n = word.n
      return "\(model.words[place])"
    } library: {
      isUpsert
        ? "\(try Word.table.upsertAndFetch(word, in: db))"
        : "\(try Word.table.insertAndFetch(word, in: db))"
    }
  }

  private var keys: [String] { choices.list(atMost: 5) { choices.pick(Word.texts) } }

  /// Returns the indices of the rows with these keys, without duplicates, in the order of the keys.
  private func places(_ keys: [String], in model: KeyModel) -> [Int] {
    var places: [Int] = []
    for place in keys.compactMap(model.index) where !places.contains(place) { places.append(place) }
    return places
  }

  private func find(_ model: KeyModel, in db: Connection) throws {
    let keys = keys
    trial.note("find \(keys)")
    try trial.check(
      "rows of several keys of NOCASE", places(keys, in: model).map { model.words[$0] }
    ) {
      try Word.find(keys: keys, in: db)
    }
    guard let key = keys.first else { return }
    try trial.check("row of a key of NOCASE", model.index(key).map { model.words[$0] }) {
      try Word.find(key, in: db)
    }
  }

  private func updateKeys(_ model: inout KeyModel, in db: Connection) throws {
    let keys = keys
    trial.note("update \(keys) by n + 1")
    try trial.step("update of several keys of NOCASE", &model) { model in
      let places = places(keys, in: model)
      for place in places { model.words[place].n += 1 }
      return "\(places.count)"
    } library: {
      "\(try Word.table.update(keys: keys, in: db) { $0.n += 1 })"
    }
  }

  private func deleteKeys(_ model: inout KeyModel, in db: Connection) throws {
    let keys = keys
    trial.note("delete \(keys)")
    try trial.step("delete of several keys of NOCASE", &model) { model in
      let gone = places(keys, in: model).sorted(by: >)
      for place in gone { model.words.remove(at: place) }
      return "\(gone.count)"
    } library: {
      "\(try Word.table.delete(keys: keys, in: db))"
    }
  }

  /// Deletes or changes the first rows of an order.
  private func limited(_ model: inout KeyModel, in db: Connection) throws {
    let window = Window(limit: choices.below(4), offset: choices.below(3))
    let isDelete = choices.oneIn(2)
    trial.note("\(isDelete ? "delete" : "update") by n, text \(window)")
    let rows = Word.order { $0.n }.order { $0.text }
      .limit(window.limit ?? 0, offset: window.offset)
    try trial.step("limited write", &model) { model in
      let chosen = window.of(model.wordsByNumber)
      for place in chosen.compactMap({ model.index($0.text) }) where !isDelete {
        model.words[place].n += 3
      }
      if isDelete { model.words.removeAll(where: chosen.contains) }
      return "\(chosen.count)"
    } library: {
      isDelete
        ? "\(try rows.delete(in: db))"
        : "\(try rows.update(in: db) { $0.n += 3 })"
    }
  }

  /// Reads pages while rows are written between them, and checks that no page repeats or omits a
  /// row that remains.
  private func pages(_ model: inout KeyModel, in db: Connection) throws {
    let size = choices.number(1...3)
    trial.note("pages of \(size) by n")
    let rows = Word.order { $0.n }
    var end: PageCursor?
    var last: Word?
    for _ in 0..<40 {
      let rest = model.wordsByNumber.drop { word in
        guard let last else { return false }
        return word.n < last.n
          || word.n == last.n && Collation.noCase.order(word.text, last.text) <= 0
      }
      let page = try trial.run("page of words") { try rows.fetchPage(of: size, after: end, in: db) }
      try trial.expect("page while rows come and go", page.records, Array(rest.prefix(size)))
      try trial.expect("more pages", page.hasMore, rest.count > size)
      guard page.hasMore else { return }
      (end, last) = (page.end, page.records.last)
      try write(&model, in: db)
    }
  }
}
