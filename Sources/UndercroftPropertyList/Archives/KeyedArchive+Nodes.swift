extension KeyedArchive {
  /// The maximum length of the name of a class, in code units.
  static let maximumNameLength = 1024
  /// The maximum number of superclasses that are read.
  static let maximumChainLength = 64
  /// The cost of one searched key, compared with one byte of a decoded string.
  private static let keyCost = 16
  /// The number of searched keys and the size of the names of classes that cost nothing.
  ///
  /// Almost all objects need less, so that only unusual objects count for the limits of a walk.
  private static let freeKeys = 64
  private static let freeNameSize = 256

  /// Returns the object to which a reference leads, or the plain value at the reference.
  ///
  /// - Parameter reference: a reference to a UID or to another value of the document.
  /// - Throws: `PropertyListError` if the object does not exist or is damaged.
  public func node(
    at reference: PropertyListReference
  ) throws(PropertyListError) -> KeyedArchiveNode {
    let value = try document.value(at: reference)
    guard case .uid(let number) = value else {
      return node(value, number: nil, at: reference, hasClass: false)
    }
    guard let number = Int(exactly: number), number < objects.count else {
      throw try Self.error(
        document, reference,
        "a UID leads to object \(number), but the archive has \(objects.count) objects")
    }
    return try node(number: number)
  }

  /// Returns the object with a number.
  ///
  /// - Parameter number: the number of the object in the archive, counted from 0.
  /// - Throws: `PropertyListError` if the object does not exist or is damaged.
  public func node(number: Int) throws(PropertyListError) -> KeyedArchiveNode {
    guard number >= 0, number < objects.count else {
      throw try Self.error(
        document, document.root,
        "object \(number) does not exist; the archive has \(objects.count) objects")
    }
    let reference = objects[number]
    // The null object is the string "$null" with the number 0.
    if number == 0, document.isString(reference, equalTo: "$null") {
      return node(.null, number: 0, at: reference, hasClass: false)
    }
    let value = try document.value(at: reference)
    if case .uid = value {
      throw try Self.error(
        document, reference, "object \(number) of the archive is a UID instead of a value")
    }
    return node(value, number: number, at: reference, hasClass: true)
  }

  private func node(
    _ value: PropertyListValue, number: Int?, at reference: PropertyListReference, hasClass: Bool
  ) -> KeyedArchiveNode {
    var archivedClass: KeyedArchiveClass?
    var decodedSize = 0
    let content: KeyedArchiveNode.Content
    switch value {
    case .array(let elements): content = .array(elements)
    case .set(let elements): content = .set(elements)
    case .dictionary(let keys, let values):
      let position = hasClass ? Self.position(of: "$class", in: keys, document) : nil
      if hasClass {
        let searched = position ?? min(keys.count, Self.maximumSearchedKeys)
        decodedSize += max(0, searched - Self.freeKeys) * Self.keyCost
      }
      if let position, let found = archiveClass(at: values[position]) {
        let nameSize = found.chain.reduce(found.name.utf8.count) { $0 + $1.utf8.count }
        decodedSize += max(0, nameSize - Self.freeNameSize)
        archivedClass = found
        content = objectContent(
          found, keys: keys.omitting(position), values: values.omitting(position),
          &decodedSize)
      } else {
        content = .dictionary(keys: keys, values: values)
      }
    default: content = .scalar(value)
    }
    return KeyedArchiveNode(
      objectNumber: number, archivedClass: archivedClass, content: content, reference: reference,
      decodedSize: decodedSize)
  }

  /// Returns the class that a field `$class` describes, or `nil` if the description is damaged.
  private func archiveClass(at reference: PropertyListReference) -> KeyedArchiveClass? {
    guard case .uid(let number) = try? document.value(at: reference),
      let number = Int(exactly: number), number < objects.count,
      case .dictionary(let keys, let values) = try? document.value(at: objects[number]),
      let position = Self.position(
        of: "$classname", in: keys, document, maximum: Self.maximumClassKeys),
      let name = document.shortString(
        at: values[position], maximumLength: Self.maximumNameLength)
    else { return nil }
    var chain: [String] = []
    if let position = Self.position(
      of: "$classes", in: keys, document, maximum: Self.maximumClassKeys),
      case .array(let names) = try? document.value(at: values[position])
    {
      chain = names.prefix(Self.maximumChainLength).compactMap {
        document.shortString(at: $0, maximumLength: Self.maximumNameLength)
      }
    }
    return KeyedArchiveClass(name: name, chain: chain)
  }
}
