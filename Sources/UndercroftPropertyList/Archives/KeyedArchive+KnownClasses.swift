import UndercroftFoundation

/// The layouts of the collections and values of Foundation.
///
/// An object is shown as a collection or as a value only if it has no further fields, so that no
/// field of a subclass is hidden.
extension KeyedArchive {
  /// Returns the contents of an object.
  ///
  /// - Parameters:
  ///   - archivedClass: the class of the object.
  ///   - keys: the names of the fields, without the field of the class.
  ///   - values: the values of the fields.
  ///   - decodedSize: a sum, to which the sizes of the decoded strings are added.
  func objectContent(
    _ archivedClass: KeyedArchiveClass, keys: PropertyListReferences,
    values: PropertyListReferences, _ decodedSize: inout Int
  ) -> KeyedArchiveNode.Content {
    collection(archivedClass, keys, values)
      ?? scalar(archivedClass, keys, values, &decodedSize).map { .scalar($0) }
      ?? .fields(keys: keys, values: values)
  }

  private func collection(
    _ archivedClass: KeyedArchiveClass, _ keys: PropertyListReferences,
    _ values: PropertyListReferences
  ) -> KeyedArchiveNode.Content? {
    if archivedClass.inherits(from: "NSDictionary") {
      guard let fields = onlyFields(["NS.keys", "NS.objects"], keys, values),
        case .array(let keys) = try? document.value(at: fields[0]),
        case .array(let values) = try? document.value(at: fields[1]), keys.count == values.count
      else { return nil }
      return .dictionary(keys: keys, values: values)
    }
    guard let fields = onlyFields(["NS.objects"], keys, values),
      case .array(let elements) = try? document.value(at: fields[0])
    else { return nil }
    if archivedClass.inherits(from: "NSArray") { return .array(elements) }
    if archivedClass.inherits(from: "NSSet") || archivedClass.inherits(from: "NSOrderedSet") {
      return .set(elements)
    }
    return nil
  }

  private func scalar(
    _ archivedClass: KeyedArchiveClass, _ keys: PropertyListReferences,
    _ values: PropertyListReferences, _ decodedSize: inout Int
  ) -> PropertyListValue? {
    func value(_ name: String) -> PropertyListValue? {
      onlyFields([name], keys, values).flatMap { plainValue(at: $0[0], &decodedSize) }
    }
    if archivedClass.inherits(from: "NSNull"), keys.isEmpty { return .null }
    if archivedClass.inherits(from: "NSString") {
      if case .string(let text) = value("NS.string") { return .string(text) }
      guard case .data(let bytes) = value("NS.bytes") else { return nil }
      decodedSize += bytes.count
      return String(validating: bytes, as: UTF8.self).map { .string($0) }
    }
    if archivedClass.inherits(from: "NSDate") {
      switch value("NS.time") {
      case .real(let seconds): return .date(secondsSince2001: seconds)
      case .integer(let seconds): return .date(secondsSince2001: Double(seconds))
      default: return nil
      }
    }
    if archivedClass.inherits(from: "NSData") {
      guard case .data(let bytes) = value("NS.data") ?? value("NS.bytes") else { return nil }
      return .data(bytes)
    }
    if archivedClass.inherits(from: "NSUUID") {
      guard case .data(let bytes) = value("NS.uuidbytes"), bytes.count == 16 else { return nil }
      return .string(uuid(bytes))
    }
    if archivedClass.inherits(from: "NSURL") { return url(keys, values, &decodedSize) }
    return archivedClass.inherits(from: "NSNumber") ? number(keys, values, &decodedSize) : nil
  }

  /// Returns a URL without a base; a URL with a base is shown with its fields.
  private func url(
    _ keys: PropertyListReferences, _ values: PropertyListReferences, _ decodedSize: inout Int
  ) -> PropertyListValue? {
    guard let fields = onlyFields(["NS.base", "NS.relative"], keys, values),
      case .null = plainValue(at: fields[0], &decodedSize),
      case .string(let text) = plainValue(at: fields[1], &decodedSize)
    else { return nil }
    return .string(text)
  }

  private func number(
    _ keys: PropertyListReferences, _ values: PropertyListReferences, _ decodedSize: inout Int
  ) -> PropertyListValue? {
    let names = ["NS.boolval", "NS.intval", "NS.dblval"]
    guard keys.count == 1, names.contains(where: { document.isString(keys[0], equalTo: $0) })
    else { return nil }
    return plainValue(at: values[0], &decodedSize)
  }

  private func uuid(_ bytes: Data) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16, uppercase: true)
    }
    return text
  }

  /// Returns the values of fields, or `nil` if the object has not exactly the fields `names`.
  private func onlyFields(
    _ names: [String], _ keys: PropertyListReferences, _ values: PropertyListReferences
  ) -> [PropertyListReference]? {
    guard keys.count == names.count else { return nil }
    var fields: [PropertyListReference] = []
    for name in names {
      guard let position = Self.position(of: name, in: keys, document) else { return nil }
      fields.append(values[position])
    }
    return fields
  }

  /// Returns a scalar that is stored in a field or as the object to which the field refers.
  private func plainValue(
    at reference: PropertyListReference, _ decodedSize: inout Int
  ) -> PropertyListValue? {
    decodedSize += document.decodedSize(of: reference)
    guard var value = try? document.value(at: reference) else { return nil }
    if case .uid(let number) = value {
      guard let number = Int(exactly: number), number < objects.count else { return nil }
      let target = objects[number]
      if number == 0, document.isString(target, equalTo: "$null") { return .null }
      decodedSize += document.decodedSize(of: target)
      guard let object = try? document.value(at: target) else { return nil }
      value = object
    }
    switch value {
    case .array, .set, .dictionary, .uid: return nil
    default: return value
    }
  }
}
