#if SyncServer
  import Configuration
  import UndercroftCore
  import UndercroftFoundation

  /// The values of a file of settings, in which each member is a known setting.
  ///
  /// A ``JSONSnapshot`` accepts any names, so a misspelt limit would have no effect.
  struct SettingsSnapshot: ConfigSnapshot {
    private let values: JSONSnapshot

    /// Reads the values.
    ///
    /// - Throws: a ``Fault`` for the first faulty member.
    init(_ file: Data) throws {
      values = try JSONSnapshot(
        data: file.bytes, providerName: "file", parsingOptions: .default)
      if let fault = try JSONDecoder().decode(Members.self, from: file).fault { throw fault }
    }

    var providerName: String { values.providerName }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
      try values.value(forKey: key, type: type)
    }

    /// A member of a file that is no setting, or whose value has a wrong type.
    struct Fault: Error {
      let name: String
      let reason: String
      let suggestion: String

      /// Creates the fault of an unknown name.
      init(unknown name: String) {
        self.name = name
        reason = "there is no such setting"
        var nearest = NearestName(to: name)
        for known in SettingName.allCases { nearest.compare(known.rawValue) }
        for group in SettingName.groups.sorted() { nearest.compare(group) }
        suggestion = nearest.question + "correct the name, or remove the setting"
      }

      /// Creates the fault of a known name whose value has a wrong type.
      init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
        suggestion = "correct the value in the file"
      }
    }

    /// The members of a file, and of its objects that contain settings.
    private struct Members: Decodable {
      /// The fault of the first faulty member in alphabetical order, or `nil` if there is none.
      private(set) var fault: Fault?

      private typealias Object = KeyedDecodingContainer<Key>

      init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: Key.self)
        for key in Self.keys(of: file) {
          fault =
            SettingName.groups.contains(key.stringValue)
            ? try Self.fault(ofGroup: key, in: file)
            : Self.fault(of: key, in: file, named: key.stringValue)
          if fault != nil { return }
        }
      }

      private static func fault(ofGroup key: Key, in file: Object) throws -> Fault? {
        guard let group = object(key, in: file) else {
          return try file.decodeNil(forKey: key)
            ? nil : Fault(key.stringValue, "the value is not an object")
        }
        for member in keys(of: group) {
          let name = "\(key.stringValue).\(member.stringValue)"
          if let fault = fault(of: member, in: group, named: name) { return fault }
        }
        return nil
      }

      private static func fault(of key: Key, in object: Object, named name: String) -> Fault? {
        guard let setting = SettingName(rawValue: name) else { return Fault(unknown: name) }
        if Self.object(key, in: object) != nil { return Fault(name, "the value is an object") }
        // A snapshot would return true as the number 1.
        let isFlag = (try? object.decode(Bool.self, forKey: key)) != nil
        return isFlag && setting != .allowPlainHTTP ? Fault(name, "the value is a Boolean") : nil
      }

      private static func keys(of object: Object) -> [Key] {
        object.allKeys.sorted { $0.stringValue < $1.stringValue }
      }

      private static func object(_ key: Key, in object: Object) -> Object? {
        try? object.nestedContainer(keyedBy: Key.self, forKey: key)
      }

      private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
  }
#endif
