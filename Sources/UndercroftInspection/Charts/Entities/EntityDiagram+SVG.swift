extension EntityDiagram {
  /// The SVG document of the diagram.
  package var svg: String {
    let references = resolvedReferences
    let marks = keyMarks
    let boxes = zip(tables, marks).map { EntityBox($0, marks: $1) }
    let layout = EntityLayout(boxes, references: references)
    var document = SVGDocument(
      width: layout.width, height: layout.height, title: title,
      description: description(references))
    let room = layout.width - 2 * EntityLayout.margin
    document.label(
      SVGTextMetrics.fitted(title, in: room, .heading), x: EntityLayout.margin, y: 34, .heading)
    if tables.isEmpty { document.label("No tables", x: EntityLayout.margin, y: 60, .muted) }
    // Curves can pass behind boxes, but they never hide text.
    for edge in references {
      let connector = EntityConnector(edge, boxes: boxes, frames: layout.frames)
      let isInferred = edge.reference.isInferred
      document.path(
        connector.path, isInferred ? .inferredLink : .link, tooltip: edge.label)
      document.path(connector.marks, isInferred ? .inferredMark : .mark)
      if let (x, y) = connector.circle {
        document.circle(x: x, y: y, radius: 3.5, isInferred ? .inferredMark : .mark)
      }
    }
    for index in tables.indices {
      document.group(tables[index].name) {
        draw(tables[index], boxes[index], marks[index], at: layout.frames[index], in: &$0)
      }
    }
    return document.text
  }

  private func draw(
    _ table: Table, _ box: EntityBox, _ marks: [[String]], at frame: SVGRectangle,
    in document: inout SVGDocument
  ) {
    var header = frame
    header.height = EntityBox.headerHeight
    document.rectangle(frame, .box, radius: 3)
    document.rectangle(header, .boxHeader, radius: 3)
    document.label(
      SVGTextMetrics.fitted(table.name, in: frame.width - 2 * EntityBox.padding, .strong),
      x: frame.x + EntityBox.padding, y: frame.y + 17.5, .strong)
    for (index, column) in table.columns.prefix(box.rowCount).enumerated() {
      let y = frame.y + box.rowCenter(index) + 4
      if !marks[index].isEmpty {
        document.label(
          marks[index].joined(separator: " "), x: frame.x + EntityBox.padding, y: y, .muted)
      }
      let style = EntityBox.style(column)
      document.label(
        SVGTextMetrics.fitted(column.name, in: box.nameWidth, style), x: frame.x + box.nameOffset,
        y: y, style)
      if !column.type.isEmpty {
        document.label(
          SVGTextMetrics.fitted(column.type, in: box.typeWidth), x: frame.maxX - EntityBox.padding,
          y: y, .muted, anchor: .end)
      }
    }
    if box.hiddenCount > 0 {
      document.label(
        "… \(EnglishText.counted(box.hiddenCount, "more column"))", x: frame.x + box.nameOffset,
        y: frame.maxY - 8, .muted)
    }
  }

  private func description(_ references: [ResolvedReference]) -> String {
    let inferred = references.count(where: \.reference.isInferred)
    let missing = self.references.count - references.count
    var parts = [
      EnglishText.counted(tables.count, "table"),
      EnglishText.counted(references.count - inferred, "foreign key"),
    ]
    if inferred > 0 { parts.append(EnglishText.counted(inferred, "inferred reference")) }
    if missing > 0 {
      parts.append("\(EnglishText.counted(missing, "reference")) to missing tables")
    }
    return parts.joined(separator: ", ")
  }
}
