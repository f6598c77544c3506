import UndercroftRelational
import UndercroftSQLite

extension SplitWriter {
  func writePartition(
    _ model: inout SplitModel, _ item: Item, in db: Connection
  ) throws {
    let form = trial.choices.below(4)
    let forms = ["insert", "update", "delete", "find"]
    trial.note("\(forms[form]) \(item) in partitions")
    try trial.step("\(forms[form]) in partitions", &model) { model in
      try Self.write(item, form, to: &model.spread)
    } library: {
      switch form {
      case 0: "\(try Item.spread.insertAndFetch(item, in: db))"
      case 1: "\(try Item.spread.update(item, in: db))"
      case 2: "\(try Item.spread.delete(item, in: db))"
      default: try Item.spread.find(item.id, in: db).map { "\($0)" } ?? "nil"
      }
    }
  }

  /// Writes a record whose columns are in two tables.
  ///
  /// A `nil` value is stored although there is a default value.
  func writeWhole(_ model: inout SplitModel, _ item: Item, in db: Connection) throws {
    let form = trial.choices.below(5)
    let forms = ["insert", "update", "delete", "find", "upsert"]
    trial.note("\(forms[form]) \(item) in a vertical split")
    try trial.step("\(forms[form]) in a vertical split", &model) { model in
      try Self.write(item, form, to: &model.whole)
    } library: {
      switch form {
      case 0: "\(try Item.whole.insertAndFetch(item, in: db))"
      case 1: "\(try Item.whole.update(item, in: db))"
      case 2: "\(try Item.whole.delete(item, in: db))"
      case 3: try Item.whole.find(item.id, in: db).map { "\($0)" } ?? "nil"
      default: "\(try Item.whole.upsertAndFetch(item, in: db))"
      }
    }
  }

  private static func write(
    _ item: Item, _ form: Int, to items: inout [Item]
  ) throws(Refusal) -> String {
    let place = items.firstIndex { $0.id == item.id }
    switch form {
    case 0:
      if place != nil { throw Refusal(reason: "the key is in use") }
      items.append(item)
      return "\(item)"
    case 1:
      if let place { items[place] = item }
      return place == nil ? "0" : "1"
    case 2:
      if let place { items.remove(at: place) }
      return place == nil ? "0" : "1"
    case 3: return place.map { "\(items[$0])" } ?? "nil"
    default:
      if let place { items[place] = item } else { items.append(item) }
      return "\(item)"
    }
  }
}
