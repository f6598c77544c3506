/// Options of the command line, each a name with a value.
struct LaboratoryOptions {
  private var values: [String: String] = [:]

  /// Reads the options of a command.
  init(_ arguments: ArraySlice<String>, of command: LaboratoryCommand) throws(LaboratoryError) {
    var rest = arguments
    while let name = rest.popFirst() {
      guard name.hasPrefix("--") else {
        throw LaboratoryError("cannot read the option \"\(name)\": an option is --name value")
      }
      guard command.options.contains(String(name.dropFirst(2))) else {
        let known = command.options.map { "--" + $0 }
        throw LaboratoryError(
          "\(command.rawValue) has no option \"\(name)\"; "
            + (known.isEmpty ? "it has none" : "there are \(known.listed)"))
      }
      guard let value = rest.popFirst() else {
        throw LaboratoryError("the option \(name) has no value")
      }
      values[String(name.dropFirst(2))] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func required(_ name: String) throws(LaboratoryError) -> String {
    guard let value = values[name] else { throw LaboratoryError("the option --\(name) is missing") }
    return value
  }

  /// Returns a number, which must not be less than `least`.
  func number(_ name: String, least: Int = 0) throws(LaboratoryError) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value), number >= least else {
      throw LaboratoryError(
        "the option --\(name) is \"\(value)\" where a number of at least \(least) is expected")
    }
    return number
  }

  /// Returns the words of an option that are separated by commas.
  ///
  /// - Parameter allowed: the words that the option may have, or `nil` for any.
  func list(_ name: String, of allowed: [String]? = nil) throws(LaboratoryError) -> [String]? {
    guard let value = values[name] else { return nil }
    let words = value.split(separator: ",").map(String.init)
    let unknown = words.first { allowed?.contains($0) == false }
    if words.isEmpty || unknown != nil {
      throw LaboratoryError(
        "the option --\(name) is \"\(value)\"; "
          + (allowed.map { "there are \($0.listed)" } ?? "it must not be empty"))
    }
    return words
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
