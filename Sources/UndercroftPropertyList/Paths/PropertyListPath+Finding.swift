extension PropertyListPath {
  private static let maximumListedKeys = 8
  private static let maximumListedLength = 64

  /// Returns the reference to the value of a document to which the path leads.
  ///
  /// If a dictionary has a key several times, the path leads to the first value. The complexity
  /// is linear in the number of keys of the dictionaries on the way.
  ///
  /// - Parameters:
  ///   - document: the property list.
  ///   - reference: the object at which the path begins, or `nil` for the root.
  /// - Throws: `PropertyListPathError` if a component leads to no value.
  public func reference(
    in document: PropertyListDocument, from reference: PropertyListReference? = nil
  ) throws(PropertyListPathError) -> PropertyListReference {
    try find(in: .document(document), from: reference ?? document.root)
  }

  /// Returns the reference to the value of a keyed archive to which the path leads.
  ///
  /// The first component is the name of an outermost object, which is usually `root`.
  ///
  /// - Parameters:
  ///   - archive: the keyed archive.
  ///   - reference: the value at which the path begins, or `nil` for the dictionary of the
  ///     outermost objects.
  /// - Throws: `PropertyListPathError` if a component leads to no value.
  public func reference(
    in archive: KeyedArchive, from reference: PropertyListReference? = nil
  ) throws(PropertyListPathError) -> PropertyListReference {
    try find(in: .archive(archive), from: reference ?? archive.top)
  }

  private func find(
    in source: PropertyListSource, from start: PropertyListReference
  ) throws(PropertyListPathError) -> PropertyListReference {
    var reference = start
    for (position, component) in components.enumerated() {
      do {
        reference = try find(component, in: source, at: reference)
      } catch {
        throw PropertyListPathError(path: self, position: position, reason: error.reason)
      }
    }
    return reference
  }

  private struct Failure: Error {
    let reason: PropertyListPathError.Reason
  }

  private func find(
    _ component: String, in source: PropertyListSource, at reference: PropertyListReference
  ) throws(Failure) -> PropertyListReference {
    let item: PropertyListSource.Item
    do {
      item = try source.item(at: reference)
    } catch {
      throw Failure(reason: .unreadable(error))
    }
    guard case .container(let container) = item else { throw Failure(reason: .notAContainer) }
    let values = container.values
    guard let keys = container.keys else {
      guard component.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let index = Int(component), index < values.count
      else { throw Failure(reason: .invalidIndex(count: values.count)) }
      return values[index]
    }
    guard let position = keys.firstIndex(where: { isKey($0, component, source) }) else {
      let listed = keys.prefix(Self.maximumListedKeys).map { keyText($0, source) }
      throw Failure(reason: .missingKey(available: listed, count: keys.count))
    }
    return values[position]
  }

  private func isKey(
    _ reference: PropertyListReference, _ component: String, _ source: PropertyListSource
  ) -> Bool {
    if source.document.isString(reference, equalTo: component) { return true }
    guard case .archive(let archive) = source,
      // A string is not decoded, because all strings are longer than 0 or are no UID.
      case .uid(let number) = try? archive.document.value(at: reference, maximumLength: 0),
      let number = Int(exactly: number), number < archive.objectCount
    else { return false }
    return archive.document.isString(archive.objects[number], equalTo: component)
  }

  private func keyText(_ reference: PropertyListReference, _ source: PropertyListSource) -> String {
    guard let text = source.keyText(at: reference) else { return "?" }
    let start = text.unicodeScalars.prefix(Self.maximumListedLength)
    return start.count < text.unicodeScalars.count ? String(start) + "…" : text
  }
}
