/// A graph of objects in the layout of `NSKeyedArchiver`, read without creating the objects.
///
/// The objects of an archive are numbered. Objects refer to each other by UIDs, which are these
/// numbers, so a graph may contain cycles. `node(at:)` resolves one reference and no more.
public struct KeyedArchive: Sendable {
  /// The largest number of keys of the document or of an object that are searched.
  ///
  /// Many objects of a damaged file can share one huge list of keys. The limit keeps the cost of
  /// resolving an object constant.
  static let maximumSearchedKeys = 4096
  /// The largest number of keys of the description of a class, which has two or three keys.
  static let maximumClassKeys = 16

  /// The property list that contains the archive.
  public let document: PropertyListDocument
  /// The name of the archiver, usually "NSKeyedArchiver".
  public let archiver: String
  /// The version of the layout, usually 100000, or `nil` if it is missing.
  public let version: Int?
  /// The reference to the dictionary of the outermost objects by their names.
  ///
  /// The name of a single outermost object is usually "root".
  public let top: PropertyListReference
  /// The names of the outermost objects.
  public let topKeys: PropertyListReferences
  /// The outermost objects, in the order of `topKeys`.
  public let topValues: PropertyListReferences

  let objects: PropertyListReferences

  /// The number of objects, including the null object 0 and descriptions of classes.
  public var objectCount: Int { objects.count }

  /// Returns whether the root of a document has the layout of a keyed archive.
  ///
  /// - Parameter document: a property list.
  public static func isKeyedArchive(_ document: PropertyListDocument) -> Bool {
    guard case .dictionary(let keys, _) = try? document.value(at: document.root) else {
      return false
    }
    return ["$archiver", "$objects", "$top"].allSatisfy {
      position(of: $0, in: keys, document) != nil
    }
  }

  /// Opens a keyed archive.
  ///
  /// - Parameter document: the property list that contains the archive.
  /// - Throws: `PropertyListError` if the property list does not have the layout of an archive.
  public init(_ document: PropertyListDocument) throws(PropertyListError) {
    guard case .dictionary(let keys, let values) = try document.value(at: document.root) else {
      throw try Self.error(document, document.root, "the root is not a dictionary")
    }
    func member(_ name: String) throws(PropertyListError) -> PropertyListReference {
      guard let position = Self.position(of: name, in: keys, document) else {
        throw try Self.error(document, document.root, "the keyed archive has no key \"\(name)\"")
      }
      return values[position]
    }
    self.document = document
    guard
      let archiver = document.shortString(
        at: try member("$archiver"), maximumLength: Self.maximumNameLength)
    else {
      throw try Self.error(
        document, document.root, "the name of the archiver (\"$archiver\") is not a short string")
    }
    self.archiver = archiver
    guard case .array(let objects) = try document.value(at: try member("$objects")) else {
      throw try Self.error(
        document, document.root, "the objects of the archive (\"$objects\") are not an array")
    }
    self.objects = objects
    top = try member("$top")
    guard case .dictionary(let topKeys, let topValues) = try document.value(at: top) else {
      throw try Self.error(
        document, document.root, "the outermost objects (\"$top\") are not a dictionary")
    }
    (self.topKeys, self.topValues) = (topKeys, topValues)
    version =
      if let position = Self.position(of: "$version", in: keys, document),
        case .integer(let number) = try? document.value(at: values[position])
      { Int(exactly: number) } else { nil }
  }

  /// Returns the position of a key among the first keys, or `nil`.
  static func position(
    of name: String, in keys: PropertyListReferences, _ document: PropertyListDocument,
    maximum: Int = maximumSearchedKeys
  ) -> Int? {
    (0..<Swift.min(keys.count, maximum)).first {
      document.isString(keys[$0], equalTo: name)
    }
  }

  static func error(
    _ document: PropertyListDocument, _ reference: PropertyListReference, _ reason: String
  ) throws(PropertyListError) -> PropertyListError {
    PropertyListError(location: try document.location(of: reference), reason: reason)
  }
}
