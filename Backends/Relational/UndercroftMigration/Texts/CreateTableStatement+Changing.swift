import UndercroftCore
import UndercroftSQLite

extension CreateTableStatement {
  /// Returns the statement for a table of another name, without the
  /// table name in front of column names.
  func named(_ other: String) -> String {
    var edits = [(places: 0..<body.open, text: "CREATE TABLE \(other.quotedIdentifier)")]
    let tokens = sql.tokens
    for place in body.open..<max(body.open, body.close - 1)
    where tokens[place + 1].isMark(".") && tokens[place].name == name.folded {
      // The digits before a decimal point are no name.
      if tokens[place].kind == .word, tokens[place].text.first?.isNumber == true { continue }
      edits.append((place..<place + 2, ""))
    }
    return sql.replacing(edits)
  }

  /// Returns the statement with another definition of a column,
  /// or `nil` if there is no such column.
  func redefining(_ column: String, as definition: String) -> String? {
    guard let item = item(column) else { return nil }
    let name = sql.text(of: item.lowerBound..<item.lowerBound + 1)
    return sql.replacing([(item, "\(name) \(definition)")])
  }

  /// Returns the statement without a column, or `nil` if there is no such column or no other one.
  func removing(_ column: String) -> String? {
    guard let item = item(column), let place = items.firstIndex(where: { $0.places == item }),
      items.count > 1
    else {
      return nil
    }
    let next = place + 1
    let places =
      next < items.count
      ? item.lowerBound..<items[next].places.lowerBound
      : items[place - 1].places.upperBound..<item.upperBound
    return sql.replacing([(places, "")])
  }

  /// Returns the statement with more columns after the last one.
  func adding(_ definitions: [String]) -> String? {
    guard let last = columns.last?.places else { return nil }
    let all = ([sql.text(of: last)] + definitions).joined(separator: ", ")
    return sql.replacing([(last, all)])
  }
}
