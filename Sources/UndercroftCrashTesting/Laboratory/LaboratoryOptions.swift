/// The options of the command line, each with a name and a value.
struct LaboratoryOptions {
  private let command: LaboratoryCommand
  private var values: [String: String] = [:]

  /// Parses the options of a command, or throws if an option is unknown or has no value.
  init(_ arguments: ArraySlice<String>, of command: LaboratoryCommand) throws(LaboratoryError) {
    self.command = command
    var rest = arguments
    while let name = rest.popFirst() {
      guard name.hasPrefix("--") else {
        throw LaboratoryError(
          """
          cannot read the argument "\(name)": the name of an option, which begins with "--", is \
          expected instead of this argument; pass each option as --NAME VALUE
          """)
      }
      guard command.options.contains(String(name.dropFirst(2))) else {
        let known = command.options.map { "--" + $0 }
        throw LaboratoryError(
          "cannot use the option \"\(name)\": "
            + (known.isEmpty
              ? "the command \"\(command.rawValue)\" has no options; omit the option"
              : """
              the command "\(command.rawValue)" has the options \(known.listed); use one of these \
              options
              """))
      }
      guard let value = rest.popFirst() else {
        throw LaboratoryError(
          "cannot use the option \(name): the value is missing; pass \(name) VALUE")
      }
      values[String(name.dropFirst(2))] = value
    }
  }

  subscript(name: String) -> String? { values[name] }

  func required(_ name: String) throws(LaboratoryError) -> String {
    guard let value = values[name] else {
      throw LaboratoryError(
        """
        cannot run the command "\(command.rawValue)": the option --\(name) is missing; pass \
        --\(name) VALUE
        """)
    }
    return value
  }

  /// Returns the value of an option as a number, or `nil` if the option is missing.
  ///
  /// Throws if the value is not a number of at least `least`.
  func number(_ name: String, least: Int = 0) throws(LaboratoryError) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value), number >= least else {
      throw LaboratoryError(
        """
        cannot use the value "\(value)" of the option --\(name): the value is not an integer from \
        \(least) to \(Int.max); pass an integer in this range
        """)
    }
    return number
  }

  /// Returns the comma-separated words of an option, or `nil` if the option is missing.
  ///
  /// - Parameter allowed: the allowed words, or `nil` to allow any word.
  func list(_ name: String, of allowed: [String]? = nil) throws(LaboratoryError) -> [String]? {
    guard let value = values[name] else { return nil }
    let words = value.split(separator: ",").map(String.init)
    let unknown = words.first { allowed?.contains($0) == false }
    if let unknown, let allowed {
      throw LaboratoryError(
        """
        cannot use the value "\(unknown)" of the option --\(name): the possible values are \
        \(allowed.listed); pass one or several of these values, separated by commas
        """)
    }
    if words.isEmpty {
      let known = allowed.map { "one or several of \($0.listed)" } ?? "one or several names"
      throw LaboratoryError(
        """
        cannot use the value "\(value)" of the option --\(name): the value is empty or contains \
        only commas; pass \(known), separated by commas
        """)
    }
    return words
  }

  /// Returns the options as command-line arguments, without the options whose names are in `left`.
  func arguments(without left: Set<String>) -> [String] {
    values.filter { !left.contains($0.key) }.sorted { $0.key < $1.key }
      .flatMap { ["--" + $0.key, $0.value] }
  }
}

/// An error in the arguments of a ``CrashLaboratory``, or the reason why a store cannot be tested.
struct LaboratoryError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
