import UndercroftCore

extension SQL {
  /// Binds named parameters: `SQL("rating >= :min AND shelf = :shelf", binding: ["min": 3, "shelf": shelf])`.
  ///
  /// A parameter is a whole word after `:`, `@` or `$`, each time that it occurs; within texts, quoted names and comments there is none. It stands
  /// for a value and never for a name, which is interpolated: `\(identifier: column)`. Values that the SQL does not name are left aside, so
  /// that one filter can serve several queries.
  ///
  /// Running it throws ``StorageError/Code/misuse`` when a parameter has no value; then nothing of it is run.
  ///
  /// - Parameter values: by names with the sign in front of them or without, compared by bytes.
  public init(_ template: SQL, binding values: [String: (any SQLBindable)?]) {
    self = SQLTemplate.bind(template, values)
  }
}

extension Dictionary where Key == String {
  /// Returns the value for a parameter, which the caller names with the sign in front or without.
  ///
  /// A dictionary finds its keys by characters, so the bytes of the key are compared as well.
  func exactly(named parameter: String) -> Value? {
    for name in [parameter, String(parameter.dropFirst())] {
      if let place = index(forKey: name), self[place].key.isExactly(name) {
        return self[place].value
      }
    }
    return nil
  }
}
