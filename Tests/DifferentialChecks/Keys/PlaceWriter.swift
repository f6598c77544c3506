import UndercroftRelational
import UndercroftSQLite

/// A writer that writes and finds records of ``Place`` by a key of two columns.
struct PlaceWriter {
  let trial: Trial

  func step(_ model: inout KeyModel, in db: Connection) throws {
    let place = Place.generate(trial.choices)
    let form = trial.choices.below(6)
    let forms = ["insert", "upsert", "update", "delete", "find", "delete the first"]
    trial.note("\(forms[form]) \(place)")
    try trial.step("\(forms[form]) by a key of two columns", &model) { model in
      try Self.write(place, form, to: &model)
    } library: {
      switch form {
      case 0: "\(try Place.table.insertAndFetch(place, in: db))"
      case 1: "\(try Place.table.upsertAndFetch(place, in: db))"
      case 2: "\(try Place.table.update(place, in: db))"
      case 3: "\(try Place.table.delete(place, in: db))"
      case 4: try Place.find(place.shelf, place.row, in: db).map { "\($0)" } ?? "nil"
      default:
        "\(try Place.order { $0.shelf.descending }.order { $0.row }.limit(2).delete(in: db))"
      }
    }
  }

  private static func write(
    _ place: Place, _ form: Int, to model: inout KeyModel
  ) throws(Refusal) -> String {
    let found = model.index(place.shelf, place.row)
    switch form {
    case 0, 1:
      guard let found else {
        model.places.append(place)
        return "\(place)"
      }
      if form == 0 { throw Refusal(reason: "the key is in use") }
      model.places[found].n = place.n
      return "\(model.places[found])"
    case 2:
      if let found { model.places[found].n = place.n }
      return found == nil ? "0" : "1"
    case 3:
      if let found { model.places.remove(at: found) }
      return found == nil ? "0" : "1"
    case 4: return found.map { "\(model.places[$0])" } ?? "nil"
    default:
      let chosen = model.places.sorted { lhs, rhs in
        let order = Collation.noCase.order(lhs.shelf, rhs.shelf)
        return order == 0 ? lhs.row < rhs.row : order > 0
      }.prefix(2)
      model.places.removeAll(where: chosen.contains)
      return "\(chosen.count)"
    }
  }
}
