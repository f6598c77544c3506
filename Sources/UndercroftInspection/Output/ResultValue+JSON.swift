package import UndercroftCore

extension ResultValue {
  /// The value as JSON on one line.
  public var json: String {
    var writer = ResultJSON(indentation: nil)
    writer.write(self)
    return writer.text
  }

  /// The value as JSON with one line for each element.
  public var formattedJSON: String {
    var writer = ResultJSON(indentation: 0)
    writer.write(self)
    return writer.text
  }

  /// Returns named values as JSON with one line for each element.
  ///
  /// - Parameters:
  ///   - members: the named values.
  ///   - name: the name of a further member, which is written at the end.
  ///   - json: the value of this member.
  package static func formattedJSON(
    _ members: [ExactString: ResultValue], _ name: String, _ json: EmbeddedJSON
  ) -> String {
    let object = ResultValue.object(members).formattedJSON
    let member = "  \(ResultValue.text(name).json) : \(json.text)\n}"
    return members.isEmpty ? "{\n\(member)" : "\(object.dropLast(2)),\n\(member)"
  }
}
