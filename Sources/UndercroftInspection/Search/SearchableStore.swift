package import UndercroftFoundation

/// A store of named values that finds the values with a text faster than by copying each value.
package protocol SearchableStore: Inspectable {
  /// Calls `body` with the name of each entry whose name begins with `prefix`, in the order of
  /// ``Inspectable/forEachValue(withPrefix:_:)``, until `body` returns `false`.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the names.
  ///   - filter: the condition for values.
  ///   - body: a closure that receives a name, and the bytes of the value if they fulfil the
  ///     condition.
  /// - Throws: the errors of ``Inspectable/entries(withPrefix:)``, and any error that `body`
  ///   throws.
  func forEachName(
    withPrefix prefix: String, matching filter: ValueFilter,
    _ body: (_ name: String, _ bytes: Data?) throws -> Bool) throws
}
