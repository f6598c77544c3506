/// The values that a walk visits: those of a document or of a keyed archive.
enum PropertyListSource: Sendable {
  /// A container with its elements.
  struct Container {
    let kind: PropertyListEvent.Container.Kind
    var archivedClass: KeyedArchiveClass?
    /// The number that is shown.
    let objectNumber: Int?
    /// The number of the container in the document, which identifies it.
    let identity: Int
    let keys: PropertyListReferences?
    let values: PropertyListReferences
    /// The cost of finding the container, in bytes of decoded strings.
    var decodedSize = 0
  }

  enum Item {
    case scalar(PropertyListValue, KeyedArchiveClass?)
    case container(Container)
  }

  case document(PropertyListDocument)
  case archive(KeyedArchive)

  var document: PropertyListDocument {
    switch self {
    case .document(let document): document
    case .archive(let archive): archive.document
    }
  }

  var root: PropertyListReference {
    switch self {
    case .document(let document): document.root
    case .archive(let archive): archive.top
    }
  }

  /// Returns the value to which a reference leads, after resolving a UID of a keyed archive.
  func item(at reference: PropertyListReference) throws(PropertyListError) -> Item {
    switch self {
    case .document(let document):
      return item(try document.value(at: reference), number: reference.number)
    case .archive(let archive): return item(try archive.node(at: reference))
    }
  }

  /// Returns a key and the number of bytes of strings that have been decoded to find the key.
  ///
  /// The key of a keyed archive that is a container remains a UID.
  func key(
    at reference: PropertyListReference
  ) throws(PropertyListError) -> (value: PropertyListValue, decodedSize: Int) {
    guard case .archive(let archive) = self else {
      let value = try document.value(at: reference)
      return (value, Self.textSize(of: value))
    }
    let node = try archive.node(at: reference)
    guard case .scalar(let value) = node.content else {
      return (try document.value(at: reference), node.decodedSize)
    }
    return (value, max(node.decodedSize, Self.textSize(of: value)))
  }

  private static func textSize(of value: PropertyListValue) -> Int {
    if case .string(let text) = value { text.utf8.count } else { 0 }
  }

  /// Returns the number of bytes that an attempt to decode a damaged value has read.
  func decodedSize(of reference: PropertyListReference) -> Int {
    let size = document.decodedSize(of: reference)
    guard size == 0, case .archive(let archive) = self,
      case .uid(let number) = try? document.value(at: reference),
      let number = Int(exactly: number), number < archive.objectCount
    else { return size }
    return document.decodedSize(of: archive.objects[number])
  }

  /// Returns a key as text, or `nil` if the key is damaged or longer than a path should be.
  func keyText(at reference: PropertyListReference) -> String? {
    let value = try? document.value(at: reference, maximumLength: Self.maximumKeyLength)
    guard case .archive(let archive) = self, case .uid(let number) = value,
      let number = Int(exactly: number), number < archive.objectCount
    else { return value?.description }
    return
      (try? document.value(
        at: archive.objects[number], maximumLength: Self.maximumKeyLength))?.description
  }

  private static let maximumKeyLength = 4096

  private func item(_ value: PropertyListValue, number: Int) -> Item {
    func container(
      _ kind: PropertyListEvent.Container.Kind, _ keys: PropertyListReferences?,
      _ values: PropertyListReferences
    ) -> Item {
      .container(
        Container(
          kind: kind, objectNumber: number, identity: number, keys: keys, values: values))
    }
    switch value {
    case .array(let elements): return container(.array, nil, elements)
    case .set(let elements): return container(.set, nil, elements)
    case .dictionary(let keys, let values): return container(.dictionary, keys, values)
    default: return .scalar(value, nil)
    }
  }

  private func item(_ node: KeyedArchiveNode) -> Item {
    func container(
      _ kind: PropertyListEvent.Container.Kind, _ keys: PropertyListReferences?,
      _ values: PropertyListReferences
    ) -> Item {
      .container(
        Container(
          kind: kind, archivedClass: node.archivedClass, objectNumber: node.objectNumber,
          identity: node.reference.number, keys: keys, values: values,
          decodedSize: node.decodedSize))
    }
    switch node.content {
    case .scalar(let value): return .scalar(value, node.archivedClass)
    case .array(let elements): return container(.array, nil, elements)
    case .set(let elements): return container(.set, nil, elements)
    case .dictionary(let keys, let values): return container(.dictionary, keys, values)
    case .fields(let keys, let values): return container(.object, keys, values)
    }
  }
}
