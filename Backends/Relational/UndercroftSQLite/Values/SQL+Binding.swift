import UndercroftCore

extension SQL {
  /// Creates SQL with values for named parameters:
  /// `SQL("rating >= :min AND shelf = :shelf", binding: ["min": 3, "shelf": shelf])`.
  ///
  /// A parameter is a whole word after `:`, `@` or `$`, outside of string literals,
  /// quoted names and comments. A parameter can occur several times. A parameter
  /// can represent a value, but not the name of a table or column. To insert such a
  /// name, interpolate it: `\(identifier: column)`. Values for which the SQL has no
  /// parameter are ignored, so that several queries can share one dictionary.
  ///
  /// If a parameter has no value, running the SQL throws
  /// ``StorageError/Code/misuse`` before any part of it runs.
  ///
  /// - Parameters:
  ///   - template: the SQL with the parameters.
  ///   - values: the values, keyed by the names of their parameters with or without the leading
  ///     sign. Names are compared by bytes.
  public init(_ template: SQL, binding values: [String: (any SQLBindable)?]) {
    self = SQLTemplate.bind(template, values)
  }
}

extension Dictionary where Key == String {
  /// Returns the value of a parameter, or `nil` if there is no value.
  ///
  /// The key of the value is the name of the parameter, with or without
  /// the leading sign. A dictionary treats canonically equivalent strings
  /// as the same key, so this function also compares the bytes of the key.
  func exactly(named parameter: String) -> Value? {
    for name in [parameter, String(parameter.dropFirst())] {
      if let index = index(forKey: name), self[index].key.isExactly(name) {
        return self[index].value
      }
    }
    return nil
  }
}
