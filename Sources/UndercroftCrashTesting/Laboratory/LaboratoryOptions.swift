/// Options of the command line, each a name with a value.
struct LaboratoryOptions {
  private var values: [String: String] = [:]

  init(_ arguments: ArraySlice<String>) throws(LaboratoryError) {
    var rest = arguments
    while let name = rest.popFirst() {
      guard name.hasPrefix("--"), let value = rest.popFirst() else {
        throw LaboratoryError("cannot read the option \"\(name)\": an option is --name value")
      }
      values[String(name.dropFirst(2))] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func required(_ name: String) throws(LaboratoryError) -> String {
    guard let value = values[name] else { throw LaboratoryError("the option --\(name) is missing") }
    return value
  }

  func number(_ name: String) throws(LaboratoryError) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value) else {
      throw LaboratoryError("the option --\(name) is \"\(value)\" where a number is expected")
    }
    return number
  }

  /// The words of an option that are separated by commas.
  func list(_ name: String) -> [String]? {
    values[name].map { $0.split(separator: ",").map(String.init) }
  }

  /// The options as they were given, without some.
  func arguments(without left: Set<String>) -> [String] {
    values.filter { !left.contains($0.key) }.sorted { $0.key < $1.key }
      .flatMap { ["--" + $0.key, $0.value] }
  }
}

/// What is wrong with a call of the laboratory.
struct LaboratoryError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
