<?xml version="1.0" encoding="UTF-8"?>
<!-- visual.xsl: makes an HTML page of a trace.

  It is applied by a browser (through the xml-stylesheet line of the trace) or by xsltproc. The input is the trace of one
  rank. The output is one HTML page that needs no other file.

  Every number is that of the whole trace. An operation is a row. A browser takes a minute for the rows of 20 MB of trace, so
  of more than `limit` operations only the outer ones are listed, and of those inside them the first ones of each caller. One
  row stands for those that are not listed: it says how many of what they are, and when.

  Rows are nested in <details>, so the tree works without a script, and the browser makes no layout
  for closed rows. More than 100 siblings are put into groups of 100, and these into groups of 10,000, so that one click
  never shows thousands of rows. The script adds the list of attributes, the filter, zooming in time and arrow keys. Colours,
  letters and bars are those of the page that hiera-transform makes.

  Each element with `start_time` or `operation` is an operation, but for those of samples and exact times, so levels of later versions are shown too. Text of a trace
  gets into the page as text or as the value of an attribute, never as markup, style or script. Time is linear in the number
  of operations, because names are counted by a key. Only `deepest` levels of nesting are shown, because libxslt and the HTML
  parsers of browsers (512 elements) have limits. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="exsl">
  <xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

  <xsl:variable name="deepest" select="200"/>
  <!-- Number of rows that are shown without a group, and of rows in the table of counts. -->
  <xsl:variable name="run" select="100"/>
  <!-- Number of operations that are listed. -->
  <xsl:variable name="limit" select="12000"/>
  <!-- Number of colours of levels in the style. -->
  <xsl:variable name="colours" select="7"/>

  <!-- Characters that hide or reorder text, and the characters that replace them in names. -->
  <xsl:variable name="unseen" select="'&#x80;&#x81;&#x82;&#x83;&#x84;&#x85;&#x86;&#x87;&#x88;&#x89;&#x8A;&#x8B;&#x8C;&#x8D;&#x8E;&#x8F;&#x90;&#x91;&#x92;&#x93;&#x94;&#x95;&#x96;&#x97;&#x98;&#x99;&#x9A;&#x9B;&#x9C;&#x9D;&#x9E;&#x9F;&#x7F;&#xAD;&#x61C;&#x200B;&#x200C;&#x200D;&#x200E;&#x200F;&#x2028;&#x2029;&#x202A;&#x202B;&#x202C;&#x202D;&#x202E;&#x2060;&#x2061;&#x2062;&#x2063;&#x2064;&#x2066;&#x2067;&#x2068;&#x2069;&#x3164;&#xFEFF;'"/>
  <xsl:variable name="shown" select="'����������������������������������������������������������'"/>

  <!-- Hash of the complete text of `style` below; tests/page/policy.py prints the right one. -->
  <xsl:variable name="style-hash" select="'p15rjpaEUG5a48xYlbmwjdXT2rFzvxfmOGoiRpE0q9c='"/>

  <!-- Operations by name, for the table of counts. -->
  <xsl:key name="by-name" match="*[@start_time or @operation][not(self::hieraFlush or self::hieraPause or self::hieraFiltered
      or self::hieraSampled or self::hieraTimed or self::hieraUntimed)]"
    use="concat(name(), ' ', @level, ' ', @class, ' ', @method, ' ', @operation)"/>

  <!-- ===================================================== the whole document ====================================================== -->

  <!-- What is listed of a trace: "all"; or a depth, how many operations of each caller are listed at that depth, and the number of
    operations listed together. All operations above that depth are listed, none below it. An element `c` is an operation in compact spelling. -->
  <xsl:variable name="listing"><xsl:call-template name="find-listing">
    <xsl:with-param name="callers" select="/processor | /processor/hieraThread"/></xsl:call-template></xsl:variable>
  <xsl:variable name="listed-depth"><xsl:choose>
    <xsl:when test="$listing = 'all'"><xsl:value-of select="$deepest + 1"/></xsl:when>
    <xsl:otherwise><xsl:value-of select="substring-before($listing, ' ')"/></xsl:otherwise></xsl:choose></xsl:variable>
  <xsl:variable name="listed-each" select="number(substring-before(substring-after($listing, ' '), '/'))"/>
  <xsl:variable name="listed" select="number(substring-after($listing, '/'))"/>

  <xsl:template name="find-listing">
    <xsl:param name="callers"/>
    <xsl:param name="depth" select="0"/>
    <xsl:param name="rows" select="0"/>
    <xsl:param name="operations" select="0"/>
    <xsl:variable name="inner" select="$callers/*[@start_time or @operation or self::c][not(self::hieraFiltered or self::hieraCall)]"/>
    <xsl:choose>
      <xsl:when test="not($inner) or $depth &gt; $deepest">all</xsl:when>
      <xsl:when test="$rows + count($inner) &lt;= $limit">
        <xsl:call-template name="find-listing">
          <xsl:with-param name="callers" select="$inner"/>
          <xsl:with-param name="depth" select="$depth + 1"/>
          <xsl:with-param name="rows" select="$rows + count($inner)"/>
          <xsl:with-param name="operations" select="$operations + count($inner[not(self::hieraFlush or self::hieraPause)])"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="each" select="floor(($limit - $rows) div count($callers[*[@start_time or @operation or self::c][not(self::hieraFiltered or self::hieraCall)]]))"/>
        <xsl:value-of select="concat($depth, ' ', $each, '/', $operations + count($callers/*[@start_time or @operation or self::c]
          [not(self::hieraFiltered or self::hieraCall)][position() &lt;= $each][not(self::hieraFlush or self::hieraPause)]))"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The levels but mpi, in the order of their names, with numbers: "|app=0|oops=1|". A colour belongs to each number. -->
  <xsl:variable name="level-numbers">
    <xsl:variable name="found"><xsl:call-template name="find-levels"><xsl:with-param name="nodes" select="//*[@start_time or @operation]
      [not(self::hieraFlush or self::hieraPause or self::hieraSampled or self::hieraTimed or self::hieraUntimed)]
      [@level or @class or @method or not(self::hieraMPI or self::hieramMPI or self::hieraCall)]"/></xsl:call-template></xsl:variable>
    <xsl:text>|</xsl:text>
    <xsl:for-each select="exsl:node-set($found)/level[. != 'mpi'][not(. = preceding-sibling::level)]">
      <xsl:sort select="."/>
      <xsl:value-of select="concat(., '=', (position() - 1) mod $colours, '|')"/>
    </xsl:for-each>
  </xsl:variable>

  <!-- Lists each level; some come twice. It calls itself once for each level, so it stops after the first ones. -->
  <xsl:template name="find-levels">
    <xsl:param name="nodes"/>
    <xsl:param name="left" select="50"/>
    <xsl:if test="$nodes and $left &gt; 0">
      <xsl:variable name="key" select="concat(name($nodes[1]), ' ', $nodes[1]/@level, boolean($nodes[1][@class or @method]))"/>
      <xsl:for-each select="$nodes[1]"><level><xsl:call-template name="level"/></level></xsl:for-each>
      <xsl:call-template name="find-levels">
        <xsl:with-param name="nodes" select="$nodes[concat(name(), ' ', @level, boolean(@class or @method)) != $key]"/>
        <xsl:with-param name="left" select="$left - 1"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ the page ============================================================ -->

  <!-- A trace in compact spelling is first converted to full spelling: if a document has elements `c`, the page is made from
    a copy in which each is replaced by the element that it means. -->
  <xsl:key name="call" match="hieraCall" use="@id"/>

  <xsl:template match="/">
    <xsl:choose>
      <xsl:when test="//c or //hieraLoop or //hieraTurns">
        <xsl:variable name="full"><xsl:apply-templates mode="full"/></xsl:variable>
        <xsl:for-each select="exsl:node-set($full)"><xsl:call-template name="page"/></xsl:for-each>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="page"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="*" mode="full">
    <xsl:copy><xsl:copy-of select="@*"/><xsl:apply-templates select="*" mode="full"/></xsl:copy>
  </xsl:template>

  <xsl:template match="hieraCall | hieraBody" mode="full"/>

  <!-- Sums over calls, in their place among single operations. -->
  <xsl:template match="hieraTurns" mode="full">
    <xsl:apply-templates select="*" mode="full"/>
  </xsl:template>

  <!-- A folded loop: its turns as one operation, and in it each call of its body, which stands for those of all turns. Their times are
    coded, and a part of a turn has no whole calls: of these only the loop is shown. -->
  <xsl:key name="body" match="hieraBody" use="@id"/>

  <xsl:template match="hieraLoop" mode="full">
    <xsl:call-template name="full-loop">
      <xsl:with-param name="start" select="format-number(@t div 1000000000, '0.000000000')"/>
      <xsl:with-param name="finish" select="format-number(@end div 1000000000, '0.000000000')"/>
      <xsl:with-param name="turns" select="@turns"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template name="full-loop">
    <xsl:param name="start"/>
    <xsl:param name="finish"/>
    <xsl:param name="turns"/>
    <hieraRegion level="hiera" operation="loop" file="" line="" start_time="{$start}" finish_time="{$finish}">
      <xsl:if test="$turns">
        <xsl:attribute name="calls"><xsl:value-of select="$turns"/></xsl:attribute>
        <xsl:attribute name="time"><xsl:value-of select="format-number($finish - $start, '0.000000000')"/></xsl:attribute>
        <xsl:apply-templates select="key('body', @body)/*" mode="turns">
          <xsl:with-param name="start" select="$start"/>
          <xsl:with-param name="finish" select="$finish"/>
          <xsl:with-param name="turns" select="$turns"/>
        </xsl:apply-templates>
      </xsl:if>
    </hieraRegion>
  </xsl:template>

  <!-- How often a loop inside turns is coded, too: it counts as once for each turn around it. -->
  <xsl:template match="hieraLoop" mode="turns">
    <xsl:param name="start"/>
    <xsl:param name="finish"/>
    <xsl:param name="turns"/>
    <xsl:call-template name="full-loop">
      <xsl:with-param name="start" select="$start"/>
      <xsl:with-param name="finish" select="$finish"/>
      <xsl:with-param name="turns" select="$turns"/>
    </xsl:call-template>
  </xsl:template>

  <xsl:template match="p" mode="turns">
    <xsl:param name="start"/>
    <xsl:param name="finish"/>
    <xsl:param name="turns"/>
    <xsl:variable name="call" select="key('call', @r)"/>
    <xsl:variable name="name"><xsl:call-template name="full-name"><xsl:with-param name="call" select="$call"/></xsl:call-template></xsl:variable>
    <xsl:element name="{$name}">
      <xsl:copy-of select="$call/@*[contains(' level class method operation file line ', concat(' ', name(), ' '))]"/>
      <xsl:attribute name="start_time"><xsl:value-of select="$start"/></xsl:attribute>
      <xsl:attribute name="finish_time"><xsl:value-of select="$finish"/></xsl:attribute>
      <xsl:attribute name="calls"><xsl:value-of select="$turns"/></xsl:attribute>
      <xsl:copy-of select="$call/@*[not(contains(' id level class method operation file line ', concat(' ', name(), ' ')))]"/>
      <xsl:copy-of select="@*[name() != 'r']"/>
      <xsl:apply-templates select="*" mode="turns">
        <xsl:with-param name="start" select="$start"/>
        <xsl:with-param name="finish" select="$finish"/>
        <xsl:with-param name="turns" select="$turns"/>
      </xsl:apply-templates>
    </xsl:element>
  </xsl:template>

  <xsl:template name="full-name">
    <xsl:param name="call"/>
    <xsl:choose>
      <xsl:when test="$call/@class">hieraOOPS</xsl:when>
      <xsl:when test="$call/@level">hieraRegion</xsl:when>
      <xsl:otherwise>hieraMPI</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="c" mode="full">
    <xsl:variable name="call" select="key('call', @r)"/>
    <xsl:variable name="name"><xsl:call-template name="full-name"><xsl:with-param name="call" select="$call"/></xsl:call-template></xsl:variable>
    <xsl:element name="{$name}">
      <xsl:copy-of select="$call/@*[contains(' level class method operation file line ', concat(' ', name(), ' '))]"/>
      <xsl:attribute name="start_time"><xsl:value-of select="format-number(@t div 1000000000, '0.000000000')"/></xsl:attribute>
      <xsl:attribute name="finish_time">
        <xsl:if test="@d &gt;= 0"><xsl:value-of select="format-number((@t + @d) div 1000000000, '0.000000000')"/></xsl:if>
      </xsl:attribute>
      <xsl:copy-of select="$call/@*[not(contains(' id level class method operation file line ', concat(' ', name(), ' ')))]"/>
      <xsl:copy-of select="@*[not(contains(' r t d ', concat(' ', name(), ' ')))]"/>
      <xsl:apply-templates select="*" mode="full"/>
    </xsl:element>
  </xsl:template>

  <xsl:template name="page">
    <html lang="en" class="plain">
      <head>
        <meta charset="UTF-8"/>
        <!-- Nothing is loaded, and only the style of this page is used. The attribute style has two numbers of each bar. Inline scripts are
          allowed, because else nobody could close the warning that Chromium shows when it applies a stylesheet itself. -->
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; style-src-elem 'sha256-{$style-hash}'; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="generator" content="Hiera"/>
        <title><xsl:call-template name="title"/></title>
        <link rel="icon" href="data:,"/>
        <style><xsl:call-template name="style"/></style>
      </head>
      <body>
        <xsl:apply-templates/>
        <aside id="panel" hidden="hidden" aria-label="Attributes of the selected operation">
          <div class="panel-head">
            <strong id="panel-name"></strong>
            <span id="panel-note"></span>
            <span class="actions">
              <button type="button" id="reveal" hidden="hidden">Show in tree</button>
              <button type="button" id="zoom" title="Zoom the time axis to this operation (z)">Zoom to it</button>
              <button type="button" id="close" title="Close (Esc)" aria-label="Close">✕</button>
            </span>
          </div>
          <dl id="attributes"></dl>
        </aside>
        <script><xsl:call-template name="script"/></script>
      </body>
    </html>
  </xsl:template>

  <xsl:template name="title">
    <xsl:value-of select="/processor/@rank"/>
    <xsl:if test="/processor/@application != ''"> · <xsl:value-of select="/processor/@application"/></xsl:if>
    <xsl:text> · Hiera</xsl:text>
  </xsl:template>

  <xsl:template match="/*" priority="-1">
    <p class="notice"><xsl:text>The root element of this document is “</xsl:text><xsl:value-of select="name()"/>
      <xsl:text>”. This page shows traces: their root is “processor”.</xsl:text></p>
  </xsl:template>

  <xsl:template match="/processor">
    <header class="top">
      <h1><xsl:call-template name="rank-title"/></h1>
      <nav aria-label="Parts of the page"><a href="#overview">overview</a><xsl:text> </xsl:text><a href="#times">operations</a><xsl:text> </xsl:text><a href="#calls">calls</a></nav>
    </header>
    <main><section class="rank" id="overview"><xsl:call-template name="rank"/></section></main>
  </xsl:template>

  <xsl:template name="rank-title">
    <xsl:value-of select="@rank"/>
    <xsl:if test="@size != ''"><span class="soft"> of <xsl:value-of select="@size"/></span></xsl:if>
    <xsl:if test="@application != ''">
      <xsl:text> </xsl:text>
      <span class="soft"><xsl:value-of select="@application"/></span>
    </xsl:if>
  </xsl:template>

  <!-- ============================================================ one rank ============================================================ -->

  <xsl:template name="rank">
    <xsl:variable name="operations" select=".//*[@start_time or @operation][not(self::hieraFlush or self::hieraPause or self::hieraFiltered
      or self::hieraSampled or self::hieraTimed or self::hieraUntimed)]"/>
    <xsl:call-template name="find-names">
      <xsl:with-param name="operations" select="$operations"/>
      <xsl:with-param name="rest" select="$operations"/>
      <xsl:with-param name="found" select="/.."/>
    </xsl:call-template>
  </xsl:template>

  <!-- Finds one operation of each name. The usual way is to test whether an operation is the first of its key. In libxslt this
    copies all operations of the key each time, which takes quadratic time for frequent names. So frequent names are removed
    first: the name of the middle operation, again and again. The usual way is used for the names that remain. -->
  <xsl:template name="find-names">
    <xsl:param name="operations"/>
    <xsl:param name="rest"/>
    <xsl:param name="found"/>
    <xsl:param name="left" select="40"/>
    <xsl:variable name="half" select="ceiling(count($rest) div 2)"/>
    <xsl:variable name="middle" select="$rest[$half]"/>
    <xsl:variable name="element" select="name($middle)"/>
    <xsl:variable name="level" select="string($middle/@level)"/>
    <xsl:variable name="class" select="string($middle/@class)"/>
    <xsl:variable name="method" select="string($middle/@method)"/>
    <xsl:variable name="operation" select="string($middle/@operation)"/>
    <xsl:variable name="others" select="$rest[string(@operation) != $operation or string(@method) != $method or string(@class) != $class or
      string(@level) != $level or name() != $element]"/>
    <xsl:choose>
      <xsl:when test="$rest and $left &gt; 0">
        <xsl:call-template name="find-names">
          <xsl:with-param name="operations" select="$operations"/>
          <xsl:with-param name="rest" select="$others"/>
          <xsl:with-param name="found" select="$found | $rest[string(@operation) = $operation and string(@method) = $method and
            string(@class) = $class and string(@level) = $level and name() = $element][1]"/>
          <xsl:with-param name="left" select="$left - 1"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="rank-body">
          <xsl:with-param name="operations" select="$operations"/>
          <xsl:with-param name="names" select="$found | $rest[generate-id() = generate-id(key('by-name',
            concat(name(), ' ', @level, ' ', @class, ' ', @method, ' ', @operation))[1])]"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- The sections of the page, in their order: for each a row here, and a template of mode "section" that matches it. -->
  <xsl:variable name="sections">
    <section name="facts"/>
    <section name="notices"/>
    <section name="figures"/>
    <section name="counts"/>
    <section name="loops"/>
    <section name="filtered"/>
    <section name="communicators"/>
    <section name="datatypes"/>
    <section name="samples"/>
    <section name="tree"/>
  </xsl:variable>

  <!-- Each section gets the `rank` (the processor), its `operations`, one of each name in `names`, and the time of its `end`. -->
  <xsl:template name="rank-body">
    <xsl:param name="operations"/>
    <xsl:param name="names"/>
    <xsl:variable name="rank" select="."/>
    <xsl:variable name="end"><xsl:call-template name="end"/></xsl:variable>
    <xsl:apply-templates select="exsl:node-set($sections)/section" mode="section">
      <xsl:with-param name="rank" select="$rank"/>
      <xsl:with-param name="operations" select="$operations"/>
      <xsl:with-param name="names" select="$names"/>
      <xsl:with-param name="end" select="string($end)"/>
    </xsl:apply-templates>
  </xsl:template>

  <xsl:template match="section[@name = 'facts']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <p class="facts">
        <xsl:if test="@host != ''"><span>host <b><xsl:value-of select="@host"/></b></span></xsl:if>
        <xsl:if test="@pid != ''"><span>process <b><xsl:value-of select="@pid"/></b></span></xsl:if>
        <xsl:if test="@job != ''"><span>job <b><xsl:value-of select="@job"/></b></span></xsl:if>
      </p>
    </xsl:for-each>
  </xsl:template>

  <!-- End of the rank: `finalize`. If the program ended before it, the last time in the trace (that of hieraEnd, if there is one). -->
  <xsl:template name="end">
    <xsl:choose>
      <xsl:when test="@finalize &gt;= @init"><xsl:value-of select="@finalize"/></xsl:when>
      <xsl:otherwise>
        <xsl:for-each select=".//@start_time[. &gt;= 0] | .//@finish_time[. &gt;= 0] | hieraEnd/@time[. &gt;= 0] | @init[. &gt;= 0]">
          <xsl:sort select="." data-type="number" order="descending"/>
          <xsl:if test="position() = 1"><xsl:value-of select="."/></xsl:if>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="section[@name = 'notices']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <xsl:if test="@cut = 'yes'">
        <p class="notice">This trace is cut short: the program ended before it was complete. Everything up to there is shown.</p>
      </xsl:if>
      <xsl:if test="@mode = 'profile'">
        <p class="notice">This is a profile: a row stands for all calls at one place with the same callers. Its bar reaches from the first to the
          last of them; other operations lie between.</p>
      </xsl:if>
      <xsl:for-each select=".//hieraSeam[1]">
        <p class="notice"><xsl:text>Single operations end at </xsl:text><xsl:call-template name="time"><xsl:with-param name="t" select="number(@time)"/></xsl:call-template>
          <xsl:if test="@reason != ''"> (<xsl:value-of select="@reason"/>)</xsl:if>
          <xsl:text>. Later rows with a number of calls stand for all of them.</xsl:text></p>
      </xsl:for-each>
      <xsl:if test="not(@mode = 'profile') and not(.//hieraSeam) and .//hieraMPI[@calls] | .//hieraRegion[@calls and not(@level = 'hiera')] | .//hieraOOPS[@calls]">
        <p class="notice">The first calls at each place are single ones. A row with a number of calls stands for all later ones there, as long as nothing else
          came.</p>
      </xsl:if>
      <xsl:if test=".//hieraRegion[@level = 'hiera' and @operation = 'loop' and @file = '']">
        <p class="notice warn">Calls in loops are shown without their times, which are coded, and are missing in the sums of times.
          hiera-transform knows them; with --export full:DIR it writes a trace with all of them.</p>
      </xsl:if>
      <xsl:if test="@since">
        <p class="notice"><xsl:text>This trace has the last part of the run alone: it begins at </xsl:text><xsl:call-template name="time"><xsl:with-param name="t" select="number(@since)"/></xsl:call-template>
          <xsl:text>. What is before was open then.</xsl:text></p>
      </xsl:if>
      <xsl:for-each select="hieraEnd">
        <p class="notice warn"><xsl:text>The program </xsl:text><xsl:call-template name="ended"/></p>
      </xsl:for-each>
      <xsl:for-each select=".//hieraLost">
        <p class="notice warn">
          <xsl:text>Records lost: </xsl:text>
          <b><xsl:value-of select="@count"/></b>
          <xsl:if test="@reason != ''"> (<xsl:value-of select="@reason"/>)</xsl:if>
        </p>
      </xsl:for-each>
      <xsl:for-each select=".//hieraUnbalanced">
        <p class="notice warn">
          <xsl:text>Begin and end do not fit: </xsl:text>
          <xsl:if test="@name"><b><xsl:value-of select="@name"/></b> (<xsl:value-of select="@level"/>), </xsl:if>
          <xsl:value-of select="concat(@file, ':', @line, ', ', translate(@reason, '_', ' '), ', ', @count, ' times')"/>
        </p>
      </xsl:for-each>
    </xsl:for-each>
  </xsl:template>

  <!-- Text for a hieraEnd, such as "ended by signal 11 (SIGSEGV)". -->
  <xsl:template name="ended">
    <xsl:text>ended by </xsl:text>
    <xsl:value-of select="@cause"/>
    <xsl:if test="@name"><xsl:text> </xsl:text><xsl:value-of select="@value"/> (<xsl:value-of select="@name"/>)</xsl:if>
    <xsl:if test="@value and not(@name)"> (<xsl:value-of select="@value"/>)</xsl:if>
  </xsl:template>

  <xsl:template match="section[@name = 'figures']" mode="section">
    <xsl:param name="rank"/>
    <xsl:param name="operations"/>
    <xsl:param name="end"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="mpi"><xsl:call-template name="time-in-mpi"><xsl:with-param name="end" select="$end"/></xsl:call-template></xsl:variable>
      <xsl:variable name="flush" select=".//hieraFlush[@finish_time &gt;= 0]"/>
      <xsl:variable name="filtered" select=".//hieraFiltered"/>
      <dl class="figures">
        <div><dt>total time</dt><dd><xsl:call-template name="time"><xsl:with-param name="t" select="$end - @init"/></xsl:call-template></dd></div>
        <div>
          <dt>in MPI<xsl:if test="hieraThread">, all threads</xsl:if></dt>
          <dd>
            <xsl:call-template name="time"><xsl:with-param name="t" select="$mpi"/></xsl:call-template>
            <xsl:if test="$end &gt; @init"><small><xsl:value-of select="format-number($mpi div ($end - @init), '0.0 %')"/></small></xsl:if>
          </dd>
        </div>
        <div><dt>operations</dt><dd class="operations"><xsl:variable name="calls"><xsl:call-template name="count-calls">
          <xsl:with-param name="set" select="$operations"/></xsl:call-template></xsl:variable><xsl:value-of select="format-number($calls, '#,##0')"/></dd></div>
        <xsl:if test="$filtered">
          <div><dt>only counted</dt><dd class="only-counted"><xsl:value-of select="format-number(sum($filtered/@count), '#,##0')"/></dd></div>
        </xsl:if>
        <xsl:if test="$operations/@bytes | $filtered/@bytes">
          <div><dt>bytes</dt><dd><xsl:call-template name="bytes">
            <xsl:with-param name="n" select="sum($operations/@bytes[. &gt;= 0]) + sum($filtered/@bytes[. &gt;= 0])"/></xsl:call-template></dd></div>
        </xsl:if>
        <xsl:if test="$flush">
          <div class="mute"><dt>collector’s own time</dt><dd><xsl:call-template name="time">
            <xsl:with-param name="t" select="sum($flush/@time) + sum($flush[not(@time)]/@finish_time) - sum($flush[not(@time)]/@start_time)"/></xsl:call-template></dd></div>
        </xsl:if>
      </dl>
    </xsl:for-each>
  </xsl:template>

  <!-- Time in outermost MPI calls, so that a call inside another one is not counted twice, and in filtered calls. -->
  <xsl:template name="time-in-mpi">
    <xsl:param name="end"/>
    <xsl:variable name="recorded"><xsl:call-template name="time-in-recorded-mpi"><xsl:with-param name="end" select="$end"/></xsl:call-template></xsl:variable>
    <xsl:value-of select="$recorded + sum(.//hieraFiltered[@level = 'mpi']/@time[. &gt;= 0])"/>
  </xsl:template>

  <xsl:template name="time-in-recorded-mpi">
    <xsl:param name="end"/>
    <xsl:variable name="outer" select="(.//hieraMPI | .//hieramMPI)[not(@class or @method)]
      [not(ancestor::hieraMPI[not(@class or @method)] or ancestor::hieramMPI[not(@class or @method)])]"/>
    <xsl:call-template name="sum-of-times">
      <xsl:with-param name="set" select="$outer"/>
      <xsl:with-param name="end" select="$end"/>
    </xsl:call-template>
  </xsl:template>

  <!-- Some operation stands for several calls. -->
  <xsl:variable name="sums" select="boolean(/processor//*[@calls] | /processor//hieraLoop)"/>

  <!-- How many calls some operations are. -->
  <xsl:template name="count-calls">
    <xsl:param name="set"/>
    <xsl:choose>
      <xsl:when test="$sums"><xsl:value-of select="sum($set/@calls) + count($set[not(@calls)])"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="count($set)"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="sum-of-times">
    <xsl:param name="set"/>
    <xsl:param name="end"/>
    <xsl:choose>
      <xsl:when test="$sums">
        <xsl:variable name="single"><xsl:call-template name="sum-of-single-times">
          <xsl:with-param name="set" select="$set[not(@calls)]"/>
          <xsl:with-param name="end" select="$end"/>
        </xsl:call-template></xsl:variable>
        <xsl:variable name="open" select="$set[@calls and @open_since &gt;= 0]"/>
        <xsl:value-of select="$single + sum($set[@calls]/@time[. &gt;= 0]) + count($open) * $end - sum($open/@open_since)"/>
      </xsl:when>
      <xsl:otherwise><xsl:call-template name="sum-of-single-times">
        <xsl:with-param name="set" select="$set"/>
        <xsl:with-param name="end" select="$end"/>
      </xsl:call-template></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="sum-of-single-times">
    <xsl:param name="set"/>
    <xsl:param name="end"/>
    <!-- The usual case first, because it needs half the time: all operations have both times. -->
    <xsl:variable name="all" select="sum($set/@finish_time) - sum($set/@start_time)"/>
    <xsl:choose>
      <xsl:when test="$all &gt;= 0 and count($set/@finish_time) = count($set) and count($set/@start_time) = count($set)
        and not($set[starts-with(@finish_time, '-') or starts-with(@start_time, '-')])"><xsl:value-of select="$all"/></xsl:when>
      <xsl:otherwise>
        <xsl:variable name="done" select="$set[@finish_time &gt;= 0]"/>
        <xsl:variable name="open" select="$set[@start_time &gt;= 0 and not(@finish_time &gt;= 0)]"/>
        <xsl:value-of select="sum($done/@finish_time) - sum($done/@start_time) + count($open) * $end - sum($open/@start_time)"/>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="section[@name = 'counts']" mode="section">
    <xsl:param name="rank"/>
    <xsl:param name="names"/>
    <xsl:param name="end"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="span" select="$end - @init"/>
      <xsl:variable name="times">
        <xsl:for-each select="$names">
          <time number="{position()}"><xsl:call-template name="sum-of-times">
            <xsl:with-param name="set" select="key('by-name', concat(name(), ' ', @level, ' ', @class, ' ', @method, ' ', @operation))"/>
            <xsl:with-param name="end" select="$end"/></xsl:call-template></time>
        </xsl:for-each>
      </xsl:variable>
      <xsl:if test="$names">
        <h2 id="times">Operations by time</h2>
        <div class="scroll">
          <table class="counts">
            <thead>
              <tr><th>operation</th><th>level</th><th class="num">count</th>
                <th class="num" title="time from start to finish, what it calls included">total time</th>
                <th class="num">mean</th><th>share of the run</th><th class="num">bytes</th></tr>
            </thead>
            <tbody>
              <xsl:for-each select="exsl:node-set($times)/time">
                <xsl:sort data-type="number" order="descending"/>
                <xsl:variable name="time" select="number(.)"/>
                <xsl:variable name="number" select="@number"/>
                <xsl:if test="position() &lt;= $run">
                  <xsl:for-each select="$names[position() = $number]">
                    <xsl:call-template name="counts-row">
                      <xsl:with-param name="time" select="$time"/>
                      <xsl:with-param name="span" select="$span"/>
                      <xsl:with-param name="set" select="key('by-name', concat(name(), ' ', @level, ' ', @class, ' ', @method, ' ', @operation))"/>
                    </xsl:call-template>
                  </xsl:for-each>
                </xsl:if>
              </xsl:for-each>
            </tbody>
          </table>
        </div>
        <xsl:if test="count($names) &gt; $run">
          <p class="note"><xsl:value-of select="concat($run, ' of ', format-number(count($names), '#,##0'))"/> names; the others took less time.</p>
        </xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- What a filter hid: sums, which have no place in the tree. -->
  <!-- Functions that were timed, and the loops in them. -->
  <xsl:template match="section[@name = 'loops']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="timed" select="hieraLoops//hieraTimed | hieraLoops//hieraTimedLoop | hieraLoops/hieraUntimed"/>
      <xsl:if test="$timed">
        <h2 id="loops">Loops</h2>
        <div class="scroll">
          <table class="counts loops">
            <thead>
              <tr><th>function, loop</th><th class="num">executions</th><th class="num" title="how often the begin of the loop was reached">iterations</th>
                <th class="num">time</th><th class="num" title="without the functions that it calls">own time</th>
                <th>share of the function</th><th class="num">shortest</th><th class="num">longest</th></tr>
            </thead>
            <tbody>
              <xsl:for-each select="$timed[position() &lt;= 2 * $run]"><tr><xsl:call-template name="timed-row"/></tr></xsl:for-each>
            </tbody>
          </table>
        </div>
        <xsl:if test="count($timed) &gt; 2 * $run">
          <p class="note"><xsl:value-of select="concat(2 * $run, ' of ', format-number(count($timed), '#,##0'))"/> functions and loops.</p>
        </xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="timed-row">
    <td>
      <xsl:for-each select="ancestor::hieraTimed | ancestor::hieraTimedLoop"><xsl:text>&#xA0;&#xA0;</xsl:text></xsl:for-each>
      <xsl:choose>
        <xsl:when test="@irreducible">irreducible loop</xsl:when>
        <xsl:when test="self::hieraTimedLoop">loop</xsl:when>
        <xsl:otherwise><xsl:call-template name="name"/></xsl:otherwise>
      </xsl:choose>
      <xsl:if test="@file"><span class="soft"><xsl:value-of select="concat(' ', translate(@file, $unseen, $shown), ':', @line)"/>
        <xsl:if test="@last_line != @line"><xsl:value-of select="concat('-', @last_line)"/></xsl:if></span></xsl:if>
    </td>
    <xsl:choose>
      <xsl:when test="self::hieraUntimed"><td class="soft" colspan="7"><xsl:value-of select="translate(@reason, $unseen, $shown)"/></td></xsl:when>
      <xsl:otherwise>
        <td class="num"><xsl:value-of select="format-number(@count, '#,##0')"/></td>
        <td class="num"><xsl:if test="@iterations"><xsl:value-of select="format-number(@iterations, '#,##0')"/></xsl:if></td>
        <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@time)"/></xsl:call-template></td>
        <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@own)"/></xsl:call-template></td>
        <td>
          <xsl:if test="ancestor::hieraTimed">
            <xsl:call-template name="share"><xsl:with-param name="part" select="@time div ancestor::hieraTimed/@time"/></xsl:call-template>
          </xsl:if>
        </td>
        <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@min)"/></xsl:call-template></td>
        <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@max)"/></xsl:call-template></td>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="section[@name = 'filtered']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="filtered" select=".//hieraFiltered"/>
      <xsl:if test="$filtered">
        <h2>Only counted</h2>
        <div class="scroll">
          <table class="counts filtered">
            <thead>
              <tr><th>operation</th><th>level</th><th>communicator</th><th class="num">count</th>
                <th class="num">total time</th><th class="num">mean</th><th class="num">bytes</th></tr>
            </thead>
            <tbody>
              <xsl:for-each select="$filtered">
                <xsl:sort data-type="number" order="descending" select="@time"/>
                <xsl:sort data-type="number" order="descending" select="@count"/>
                <xsl:if test="position() &lt;= $run">
                  <tr>
                    <xsl:call-template name="colour"/>
                    <td><span class="dot"></span><xsl:if test="@class"><span class="c"><xsl:value-of select="@class"/>::</span></xsl:if><xsl:value-of select="@operation"/></td>
                    <td class="soft"><xsl:call-template name="level"/></td>
                    <td><xsl:value-of select="@comm"/></td>
                    <td class="num"><xsl:value-of select="format-number(@count, '#,##0')"/></td>
                    <td class="num"><xsl:if test="@time"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@time)"/></xsl:call-template></xsl:if></td>
                    <td class="num"><xsl:if test="@time"><xsl:call-template name="time"><xsl:with-param name="t" select="@time div @count"/></xsl:call-template></xsl:if></td>
                    <td class="num"><xsl:if test="@bytes"><xsl:call-template name="bytes"><xsl:with-param name="n" select="number(@bytes)"/></xsl:call-template></xsl:if></td>
                  </tr>
                </xsl:if>
              </xsl:for-each>
            </tbody>
          </table>
        </div>
        <xsl:if test="count($filtered) &gt; $run">
          <p class="note"><xsl:value-of select="concat($run, ' of ', format-number(count($filtered), '#,##0'))"/> sums; the others are of less time.</p>
        </xsl:if>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="counts-row">
    <xsl:param name="time"/>
    <xsl:param name="span"/>
    <xsl:param name="set"/>
    <xsl:variable name="calls"><xsl:call-template name="count-calls"><xsl:with-param name="set" select="$set"/></xsl:call-template></xsl:variable>
    <tr>
      <xsl:call-template name="colour"/>
      <td><span class="dot"></span><xsl:call-template name="name"/></td>
      <td class="soft"><xsl:call-template name="level"/></td>
      <td class="num"><xsl:value-of select="format-number($calls, '#,##0')"/></td>
      <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="$time"/></xsl:call-template></td>
      <td class="num"><xsl:call-template name="time"><xsl:with-param name="t" select="$time div $calls"/></xsl:call-template></td>
      <td><xsl:call-template name="share"><xsl:with-param name="part" select="$time div $span"/></xsl:call-template></td>
      <td class="num"><xsl:if test="$set/@bytes"><xsl:call-template name="bytes">
        <xsl:with-param name="n" select="sum($set/@bytes[. &gt;= 0])"/></xsl:call-template></xsl:if></td>
    </tr>
  </xsl:template>

  <xsl:template name="share">
    <xsl:param name="part"/>
    <xsl:if test="$part &gt;= 0 and $part &lt; 1000000">
      <span class="share"><i style="--w:{format-number($part, '0.######')}"></i></span>
      <span class="percent"><xsl:value-of select="format-number($part, '0.0 %')"/></span>
    </xsl:if>
  </xsl:template>

  <xsl:template match="section[@name = 'communicators']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="comms" select=".//hieraComm"/>
      <xsl:if test="$comms">
        <details class="section comms">
          <summary>Communicators <span class="soft"><xsl:value-of select="count($comms)"/></span></summary>
          <div class="scroll"><table>
            <thead><tr><th>id</th><th>name</th><th>world ranks</th><th>remote group</th></tr></thead>
            <tbody>
              <xsl:for-each select="$comms">
                <tr><td><xsl:value-of select="@id"/></td><td><xsl:value-of select="@name"/></td>
                  <td><xsl:value-of select="@ranks"/></td><td><xsl:value-of select="@remote"/></td></tr>
              </xsl:for-each>
            </tbody>
          </table></div>
        </details>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="section[@name = 'datatypes']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank">
      <xsl:variable name="types" select=".//hieraType"/>
      <xsl:if test="$types">
        <details class="section types">
          <summary>Datatypes <span class="soft"><xsl:value-of select="count($types)"/></span></summary>
          <div class="scroll"><table>
            <thead><tr><th>id</th><th>name</th><th class="num">size</th><th class="num">extent</th></tr></thead>
            <tbody>
              <xsl:for-each select="$types">
                <tr><td><xsl:value-of select="@id"/></td><td><xsl:value-of select="@name"/></td>
                  <td class="num"><xsl:value-of select="@size"/></td><td class="num"><xsl:value-of select="@extent"/></td></tr>
              </xsl:for-each>
            </tbody>
          </table></div>
        </details>
      </xsl:if>
    </xsl:for-each>
  </xsl:template>

  <!-- ============================================================ the tree ============================================================ -->

  <!-- Where the threads were, by region and address. Names of functions and loops are what hiera-transform finds. -->
  <xsl:template match="section[@name = 'samples']" mode="section">
    <xsl:param name="rank"/>
    <xsl:for-each select="$rank[.//hieraSample]">
      <xsl:variable name="count" select="sum(.//hieraSample/@count)"/>
      <details class="section samples">
        <summary>Samples <span class="soft"><xsl:value-of select="format-number($count, '#,##0')"/></span></summary>
        <p class="note">Where the threads were in their CPU time. <code>hiera-transform --measure samples</code> knows functions, loops and lines.</p>
        <div class="scroll"><table>
          <thead><tr><th>where</th><th class="num">samples</th><th>share</th><th class="num">CPU time</th></tr></thead>
          <tbody>
            <xsl:for-each select=".//hieraSamples[.//hieraSample]">
              <tr>
                <td><xsl:choose><xsl:when test="@thread = 'ended'">threads that have ended</xsl:when><xsl:otherwise>thread <xsl:value-of select="@thread"/></xsl:otherwise></xsl:choose></td>
                <xsl:call-template name="samples-cells">
                  <xsl:with-param name="samples" select=".//hieraSample"/>
                  <xsl:with-param name="of" select="$count"/>
                </xsl:call-template>
              </tr>
              <xsl:call-template name="samples-inside"><xsl:with-param name="of" select="$count"/></xsl:call-template>
            </xsl:for-each>
          </tbody>
        </table></div>
      </details>
    </xsl:for-each>
  </xsl:template>

  <xsl:template name="samples-cells">
    <xsl:param name="samples"/>
    <xsl:param name="of"/>
    <xsl:variable name="period" select="ancestor-or-self::hieraSamples/@period"/>
    <td class="num"><xsl:value-of select="format-number(sum($samples/@count), '#,##0')"/></td>
    <td><xsl:call-template name="share"><xsl:with-param name="part" select="sum($samples/@count) div $of"/></xsl:call-template></td>
    <td class="num"><xsl:call-template name="time">
      <xsl:with-param name="t" select="$period * (sum($samples/@periods) + sum($samples[not(@periods)]/@count))"/></xsl:call-template></td>
  </xsl:template>

  <!-- Rows of what is inside: places first, the most frequent ones of each region. -->
  <xsl:template name="samples-inside">
    <xsl:param name="of"/>
    <xsl:param name="depth" select="1"/>
    <xsl:for-each select="hieraSample">
      <xsl:sort data-type="number" order="descending" select="@count"/>
      <xsl:if test="position() &lt;= 10">
        <tr>
          <td class="soft" style="padding-left:{$depth + 1}em"><xsl:value-of select="translate(@place, $unseen, $shown)"/><xsl:if test="@place = ''">other addresses</xsl:if></td>
          <xsl:call-template name="samples-cells"><xsl:with-param name="samples" select="."/><xsl:with-param name="of" select="$of"/></xsl:call-template>
        </tr>
      </xsl:if>
    </xsl:for-each>
    <xsl:if test="count(hieraSample) &gt; 10">
      <tr><td class="soft" style="padding-left:{$depth + 1}em"><xsl:value-of select="format-number(count(hieraSample) - 10, '#,##0')"/> more addresses</td><td colspan="3"></td></tr>
    </xsl:if>
    <xsl:for-each select="hieraSampled">
      <tr>
        <xsl:call-template name="colour"/>
        <td style="padding-left:{$depth + 1}em"><span class="dot"></span><xsl:if test="@class"><span class="c"><xsl:value-of select="translate(@class, $unseen, $shown)"/>::</span></xsl:if><xsl:call-template name="name"/></td>
        <xsl:call-template name="samples-cells"><xsl:with-param name="samples" select=".//hieraSample"/><xsl:with-param name="of" select="$of"/></xsl:call-template>
      </tr>
      <xsl:call-template name="samples-inside"><xsl:with-param name="of" select="$of"/><xsl:with-param name="depth" select="$depth + 1"/></xsl:call-template>
    </xsl:for-each>
  </xsl:template>

  <xsl:template match="section[@name = 'tree']" mode="section">
    <xsl:param name="rank"/>
    <xsl:param name="operations"/>
    <xsl:param name="names"/>
    <xsl:param name="end"/>
    <xsl:for-each select="$rank">
      <div class="tree-head">
        <h2 id="calls">Calls</h2>
        <span class="legend">
          <xsl:call-template name="legend"><xsl:with-param name="names" select="$names"/></xsl:call-template>
          <xsl:if test=".//hieraFlush"><span class="l-collector"><span class="dot"></span>collector</span></xsl:if>
        </span>
        <span class="tools">
          <input type="search" class="filter" placeholder="Filter by name or file" aria-label="Filter operations by name or file"/>
          <button type="button" class="deeper" title="Open one more level of what is shown">Open a level</button>
          <button type="button" class="fold">Close all</button>
          <button type="button" class="whole" hidden="hidden">Whole run</button>
        </span>
      </div>
      <xsl:variable name="of"><xsl:if test="$listing != 'all'"><xsl:value-of select="concat(format-number($listed, '#,##0'), ' of ',
        format-number(count($operations), '#,##0'))"/></xsl:if></xsl:variable>
      <xsl:if test="$of != ''">
        <p class="note listed"><xsl:value-of select="$of"/> operations are listed: the outer ones, and the first ones of each caller. All numbers
          above, and those of rows, are of all operations. <code>hiera-transform --html</code> makes a page that shows the whole run.</p>
      </xsl:if>
      <div class="tree" data-init="{@init}" data-end="{$end}" data-of="{$of}">
        <div class="axis r" aria-hidden="true" title="Double-click a bar to spread the time axis over it; double-click the axis for the whole run">
          <span class="n">operation</span><span class="p">partner</span><span class="y">bytes</span><span class="f">called at</span>
          <span class="t"><span class="from"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@init)"/></xsl:call-template></span>
            <span class="to"><xsl:call-template name="time"><xsl:with-param name="t" select="number($end)"/></xsl:call-template></span></span>
          <span class="d">duration</span>
        </div>
        <div class="rows">
          <xsl:call-template name="rows">
            <xsl:with-param name="nodes" select="*[@start_time or @operation][not(self::hieraFiltered)]"/>
            <xsl:with-param name="init" select="number(@init)"/>
            <xsl:with-param name="end" select="number($end)"/>
          </xsl:call-template>
          <xsl:if test="not(*[@start_time or @operation][not(self::hieraFiltered)])"><p class="soft">No operations.</p></xsl:if>
          <xsl:for-each select="hieraThread">
            <details class="thread" open="open">
              <summary class="r head"><span class="n">Thread <xsl:value-of select="@id"/>
                <span class="x"><xsl:value-of select="format-number(count(.//*[@start_time or @operation][not(self::hieraFiltered)]), '#,##0')"/> operations</span></span></summary>
              <xsl:call-template name="rows">
                <xsl:with-param name="nodes" select="*[@start_time or @operation][not(self::hieraFiltered)]"/>
                <xsl:with-param name="init" select="number(../@init)"/>
                <xsl:with-param name="end" select="number($end)"/>
              </xsl:call-template>
            </details>
          </xsl:for-each>
        </div>
        <div class="found" hidden="hidden"></div>
      </div>
    </xsl:for-each>
  </xsl:template>

  <!-- Lists the levels of some operations, each once. It calls itself once for each level, so it stops after the first ones. -->
  <xsl:template name="legend">
    <xsl:param name="names"/>
    <xsl:param name="left" select="50"/>
    <xsl:variable name="key" select="concat(name($names[1]), ' ', $names[1]/@level, boolean($names[1][@class or @method]))"/>
    <xsl:for-each select="$names[1]"><span><xsl:call-template name="colour"/><span class="dot"></span><xsl:call-template name="level"/></span></xsl:for-each>
    <xsl:variable name="others" select="$names[concat(name(), ' ', @level, boolean(@class or @method)) != $key]"/>
    <xsl:choose>
      <xsl:when test="$others and $left &gt; 1">
        <xsl:call-template name="legend">
          <xsl:with-param name="names" select="$others"/>
          <xsl:with-param name="left" select="$left - 1"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:when test="$others"><span>… further levels</span></xsl:when>
    </xsl:choose>
  </xsl:template>

  <!-- Rows of siblings: those that are listed, and what the others are. -->
  <xsl:template name="rows">
    <xsl:param name="nodes"/>
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="depth" select="0"/>
    <xsl:choose>
      <xsl:when test="$depth &lt; $listed-depth">
        <xsl:call-template name="listed-rows">
          <xsl:with-param name="nodes" select="$nodes"/>
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="depth" select="$depth"/>
        </xsl:call-template>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="each" select="$listed-each * ($depth = $listed-depth)"/>
        <xsl:call-template name="listed-rows">
          <xsl:with-param name="nodes" select="$nodes[position() &lt;= $each]"/>
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="depth" select="$depth"/>
        </xsl:call-template>
        <xsl:call-template name="unlisted-rows">
          <xsl:with-param name="nodes" select="$nodes[position() &gt; $each]"/>
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="from" select="$each"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Rows that stand for siblings that are not listed: for a hundred and more of them, so that there are at most about a hundred rows. -->
  <xsl:template name="unlisted-rows">
    <xsl:param name="nodes"/>
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="from"/>
    <xsl:param name="grain" select="100 + 900 * (count($nodes) &gt; 10000) + 9000 * (count($nodes) &gt; 100000) + 90000 * (count($nodes) &gt; 1000000)"/>
    <xsl:variable name="n" select="count($nodes)"/>
    <xsl:choose>
      <xsl:when test="$n = 0"/>
      <xsl:when test="$n &lt;= $grain">
        <div class="r rest" tabindex="0">
          <xsl:call-template name="group-cells">
            <xsl:with-param name="nodes" select="$nodes"/>
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="from" select="$from"/>
            <xsl:with-param name="note"> not listed: </xsl:with-param>
          </xsl:call-template>
        </div>
      </xsl:when>
      <xsl:otherwise>
        <xsl:variable name="size" select="100 + 900 * ($n &gt; 1000) + 9000 * ($n &gt; 10000) + 90000 * ($n &gt; 100000) + 900000 * ($n &gt; 1000000)"/>
        <xsl:for-each select="$nodes[position() mod $size = 1]">
          <xsl:variable name="low" select="(position() - 1) * $size"/>
          <xsl:call-template name="unlisted-rows">
            <xsl:with-param name="nodes" select="$nodes[position() &gt; $low and position() &lt;= $low + $size]"/>
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="from" select="$from + $low"/>
            <xsl:with-param name="grain" select="$grain"/>
          </xsl:call-template>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Rows of siblings. A long list is divided by ten until the parts are short. Each division visits every node ten times, so
    time is linear in the number of nodes times its logarithm. Parts of 100 and of 10,000 become groups that can be opened;
    other parts do not show. -->
  <xsl:template name="listed-rows">
    <xsl:param name="nodes"/>
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="depth" select="0"/>
    <xsl:param name="from" select="0"/>
    <xsl:variable name="n" select="count($nodes)"/>
    <xsl:choose>
      <xsl:when test="$n &lt;= $run">
        <xsl:apply-templates select="$nodes" mode="row">
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="depth" select="$depth"/>
          <xsl:with-param name="alone" select="$n = 1"/>
        </xsl:apply-templates>
      </xsl:when>
      <xsl:otherwise>
        <!-- The largest power of ten below n, at least 100 and at most a million. -->
        <xsl:variable name="size" select="100 + 900 * ($n &gt; 1000) + 9000 * ($n &gt; 10000) + 90000 * ($n &gt; 100000) + 900000 * ($n &gt; 1000000)"/>
        <xsl:for-each select="$nodes[position() mod $size = 1]">
          <xsl:variable name="low" select="(position() - 1) * $size"/>
          <xsl:call-template name="division">
            <xsl:with-param name="nodes" select="$nodes[position() &gt; $low and position() &lt;= $low + $size]"/>
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="depth" select="$depth"/>
            <xsl:with-param name="from" select="$from + $low"/>
            <xsl:with-param name="group" select="$size = 100 or $size = 10000"/>
          </xsl:call-template>
        </xsl:for-each>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="division">
    <xsl:param name="nodes"/>
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="depth"/>
    <xsl:param name="from"/>
    <xsl:param name="group"/>
    <xsl:choose>
      <xsl:when test="$group or count($nodes) &lt;= $run">
        <details class="g">
          <xsl:if test="$depth &gt; 24"><xsl:attribute name="class">g z</xsl:attribute></xsl:if>
          <summary class="r"><xsl:call-template name="group-cells">
            <xsl:with-param name="nodes" select="$nodes"/>
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="from" select="$from"/>
          </xsl:call-template></summary>
          <xsl:call-template name="listed-rows">
            <xsl:with-param name="nodes" select="$nodes"/>
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="depth" select="$depth"/>
            <xsl:with-param name="from" select="$from"/>
          </xsl:call-template>
        </details>
      </xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="listed-rows">
          <xsl:with-param name="nodes" select="$nodes"/>
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="depth" select="$depth"/>
          <xsl:with-param name="from" select="$from"/>
        </xsl:call-template>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="group-cells">
    <xsl:param name="nodes"/>
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="from"/>
    <xsl:param name="note"/>
    <xsl:variable name="start" select="number($nodes[1]/@start_time)"/>
    <xsl:variable name="finish">
      <xsl:choose>
        <xsl:when test="$nodes[last()]/@finish_time &gt;= 0"><xsl:value-of select="$nodes[last()]/@finish_time"/></xsl:when>
        <xsl:otherwise><xsl:value-of select="$end"/></xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <span class="n">
      <span class="range"><xsl:value-of select="format-number($from + 1, '#,##0')"/>–<xsl:value-of select="format-number($from + count($nodes), '#,##0')"/></span>
      <span class="x"><xsl:value-of select="$note"/><xsl:call-template name="contents"><xsl:with-param name="nodes" select="$nodes"/></xsl:call-template></span>
    </span>
    <xsl:call-template name="bar">
      <xsl:with-param name="init" select="$init"/>
      <xsl:with-param name="end" select="$end"/>
      <xsl:with-param name="start" select="$start"/>
      <xsl:with-param name="finish" select="$finish"/>
    </xsl:call-template>
    <span class="d"><xsl:call-template name="time"><xsl:with-param name="t" select="$finish - $start"/></xsl:call-template></span>
  </xsl:template>

  <!-- Contents of a group, in the order of first appearance: "send ×34, receive ×33, …". -->
  <xsl:template name="contents">
    <xsl:param name="nodes"/>
    <xsl:param name="left" select="5"/>
    <xsl:choose>
      <xsl:when test="$left = 0">…</xsl:when>
      <xsl:otherwise>
        <xsl:variable name="key" select="concat(name($nodes[1]), $nodes[1]/@level, ' ', $nodes[1]/@class, ' ', $nodes[1]/@method, ' ', $nodes[1]/@operation)"/>
        <xsl:variable name="others" select="$nodes[concat(name(), @level, ' ', @class, ' ', @method, ' ', @operation) != $key]"/>
        <xsl:for-each select="$nodes[1]"><xsl:call-template name="name"/></xsl:for-each>
        <xsl:text> ×</xsl:text>
        <xsl:value-of select="format-number(count($nodes) - count($others), '#,##0')"/>
        <xsl:if test="$others">
          <xsl:text>, </xsl:text>
          <xsl:call-template name="contents">
            <xsl:with-param name="nodes" select="$others"/>
            <xsl:with-param name="left" select="$left - 1"/>
          </xsl:call-template>
        </xsl:if>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- One operation: a single row, or a row that opens to show the operations inside. -->
  <xsl:template match="*" mode="row">
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="depth"/>
    <xsl:param name="alone"/>
    <xsl:variable name="inner" select="*[@start_time or @operation][not(self::hieraFiltered)]"/>
    <xsl:choose>
      <xsl:when test="$inner">
        <details>
          <xsl:if test="$depth &gt; 24"><xsl:attribute name="class">z</xsl:attribute></xsl:if>
          <xsl:if test="$alone and $depth = 0"><xsl:attribute name="open">open</xsl:attribute></xsl:if>
          <summary>
            <xsl:call-template name="cells">
              <xsl:with-param name="init" select="$init"/>
              <xsl:with-param name="end" select="$end"/>
              <xsl:with-param name="depth" select="$depth"/>
            </xsl:call-template>
          </summary>
          <xsl:choose>
            <xsl:when test="$depth &lt; $deepest">
              <xsl:call-template name="rows">
                <xsl:with-param name="nodes" select="$inner"/>
                <xsl:with-param name="init" select="$init"/>
                <xsl:with-param name="end" select="$end"/>
                <xsl:with-param name="depth" select="$depth + 1"/>
              </xsl:call-template>
            </xsl:when>
            <xsl:otherwise>
              <div class="r z" tabindex="0"><span class="n x"><xsl:value-of select="count(.//*[@start_time or @operation][not(self::hieraFiltered)])"/> operations nested deeper are not shown</span></div>
            </xsl:otherwise>
          </xsl:choose>
        </details>
      </xsl:when>
      <xsl:otherwise>
        <div tabindex="0">
          <xsl:call-template name="cells">
            <xsl:with-param name="init" select="$init"/>
            <xsl:with-param name="end" select="$end"/>
            <xsl:with-param name="depth" select="$depth"/>
          </xsl:call-template>
        </div>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Attributes and cells of an operation's row. data-a has all attributes of the operation for the script, one a line. -->
  <xsl:template name="cells">
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="depth"/>
    <xsl:variable name="open" select="not(@finish_time &gt;= 0)"/>
    <xsl:call-template name="colour"><xsl:with-param name="class" select="concat('r', substring(' z', 1, 2 * ($depth &gt; 24)))"/></xsl:call-template>
    <xsl:attribute name="data-a"><xsl:for-each select="@*"><xsl:value-of select="concat(name(), '=', translate(., '&#10;&#13;', '␤␤'), '&#10;')"/></xsl:for-each>
      <xsl:for-each select="hieraSpread"><xsl:value-of select="concat('spread of ', @of, '=', translate(@bins, '&#10;&#13;', '␤␤'), '&#10;')"/></xsl:for-each>
      <xsl:for-each select="hieraWait"><xsl:value-of select="concat('waits for ', @of, '=', @time, ' s in ', @count, ' of ', @calls, ' calls&#10;')"/></xsl:for-each>
      <xsl:for-each select="hieraPart[position() &lt;= $run]"><xsl:text>part=</xsl:text><xsl:for-each select="@*"><xsl:value-of select="concat(name(), ' ', translate(., '&#10;&#13;', '␤␤'), ' ')"/></xsl:for-each><xsl:text>&#10;</xsl:text></xsl:for-each></xsl:attribute>
    <span class="n">
      <xsl:if test="$depth &gt; 24"><span class="x deep"><xsl:value-of select="$depth"/></span></xsl:if>
      <span class="dot"></span>
      <xsl:call-template name="name"/>
      <xsl:if test="@calls"><span class="x"> ×<xsl:value-of select="translate(@calls, $unseen, $shown)"/></span></xsl:if>
      <xsl:if test="@args != ''"><span class="x"><xsl:value-of select="translate(@args, $unseen, $shown)"/></span></xsl:if>
      <xsl:if test="@open &gt; 0"><span class="bad">open</span></xsl:if>
      <xsl:if test="@error != '' and @error != '0'"><span class="bad">error <xsl:value-of select="@error"/></span></xsl:if>
    </span>
    <span class="p"><xsl:call-template name="partner"/></span>
    <span class="y"><xsl:if test="@bytes != ''"><xsl:call-template name="bytes"><xsl:with-param name="n" select="@bytes"/></xsl:call-template></xsl:if></span>
    <span class="f"><xsl:value-of select="translate(@file, $unseen, $shown)"/><xsl:if test="@line &gt; 0">:<xsl:value-of select="@line"/></xsl:if></span>
    <xsl:choose>
      <xsl:when test="@calls">
        <xsl:variable name="last"><xsl:choose>
          <xsl:when test="@open &gt; 0 or not(@finish_time &gt;= 0)"><xsl:value-of select="$end"/></xsl:when>
          <xsl:otherwise><xsl:value-of select="@finish_time"/></xsl:otherwise>
        </xsl:choose></xsl:variable>
        <xsl:call-template name="bar">
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="start" select="@start_time"/>
          <xsl:with-param name="finish" select="$last"/>
          <xsl:with-param name="class" select="'several'"/>
        </xsl:call-template>
        <span class="d" title="all calls together"><xsl:if test="@time"><xsl:call-template name="time"><xsl:with-param name="t" select="number(@time)"/></xsl:call-template></xsl:if></span>
      </xsl:when>
      <xsl:when test="$open">
        <xsl:call-template name="bar">
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="start" select="@start_time"/>
          <xsl:with-param name="finish" select="$end"/>
          <xsl:with-param name="class" select="'open'"/>
        </xsl:call-template>
        <span class="d" title="No finish time: the operation was still open at the end of the trace"><span class="bad">open</span></span>
      </xsl:when>
      <xsl:otherwise>
        <xsl:call-template name="bar">
          <xsl:with-param name="init" select="$init"/>
          <xsl:with-param name="end" select="$end"/>
          <xsl:with-param name="start" select="@start_time"/>
          <xsl:with-param name="finish" select="@finish_time"/>
        </xsl:call-template>
        <span class="d"><xsl:call-template name="time"><xsl:with-param name="t" select="@finish_time - @start_time"/></xsl:call-template></span>
      </xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Start and length are fractions of the run. The style computes places from them, so zooming changes only two numbers. -->
  <xsl:template name="bar">
    <xsl:param name="init"/>
    <xsl:param name="end"/>
    <xsl:param name="start"/>
    <xsl:param name="finish"/>
    <xsl:param name="class"/>
    <span class="t">
      <xsl:if test="$start &gt;= 0 and $end &gt; $init">
        <i style="--s:{format-number(($start - $init) div ($end - $init), '0.############')};--w:{format-number(($finish - $start) div ($end - $init), '0.############')}">
          <xsl:if test="$class"><xsl:attribute name="class"><xsl:value-of select="$class"/></xsl:attribute></xsl:if>
        </i>
      </xsl:if>
    </span>
  </xsl:template>

  <xsl:template name="partner">
    <xsl:if test="@dest != ''">→ <xsl:value-of select="@dest"/><xsl:text> </xsl:text></xsl:if>
    <xsl:if test="@rem != ''">← <xsl:value-of select="@rem"/><xsl:if test="@posted != ''"> (<xsl:value-of select="@posted"/>)</xsl:if><xsl:text> </xsl:text></xsl:if>
    <xsl:if test="@root != ''">root <xsl:value-of select="@root"/><xsl:text> </xsl:text></xsl:if>
    <xsl:for-each select="hieraPart[last() = 1 and @peer != '']">↔ <xsl:value-of select="@peer"/><xsl:text> </xsl:text></xsl:for-each>
    <xsl:if test="count(hieraPart/@peer) &gt; 1"><span class="x"><xsl:value-of select="count(hieraPart/@peer)"/> partners</span></xsl:if>
    <xsl:variable name="comm" select="(@comm | @com)[1]"/>
    <xsl:if test="$comm != '' and $comm != 'MPI_COMM_WORLD'"><span class="x"><xsl:value-of select="$comm"/></span></xsl:if>
  </xsl:template>

  <!-- ============================================================ words ============================================================ -->

  <xsl:template name="name">
    <xsl:choose>
      <xsl:when test="self::hieraFlush">collector writes its buffer</xsl:when>
      <xsl:when test="@class and @method"><span class="c"><xsl:value-of select="translate(@class, $unseen, $shown)"/>::</span><xsl:value-of select="translate(@method, $unseen, $shown)"/></xsl:when>
      <xsl:when test="@method"><xsl:value-of select="translate(@method, $unseen, $shown)"/></xsl:when>
      <xsl:when test="@operation"><xsl:value-of select="translate(@operation, $unseen, $shown)"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="name()"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="level">
    <xsl:choose>
      <xsl:when test="self::hieraFlush">collector</xsl:when>
      <xsl:when test="@level != ''"><xsl:value-of select="translate(@level, $unseen, $shown)"/></xsl:when>
      <xsl:when test="self::hieraOOPS or @class or @method">oops</xsl:when>
      <xsl:when test="self::hieraMPI or self::hieramMPI">mpi</xsl:when>
      <xsl:otherwise><xsl:value-of select="name()"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- Class attribute of an element for an operation: it has the colour of its level. -->
  <xsl:template name="colour">
    <xsl:param name="class"/>
    <xsl:variable name="level"><xsl:call-template name="level"/></xsl:variable>
    <xsl:variable name="number" select="substring-before(substring-after($level-numbers, concat('|', $level, '=')), '|')"/>
    <xsl:variable name="of-level"><xsl:choose>
      <xsl:when test="self::hieraFlush">l-collector</xsl:when>
      <xsl:when test="$level = 'mpi'">l-mpi</xsl:when>
      <xsl:when test="$number &gt;= 0">l<xsl:value-of select="$number"/></xsl:when>
      <xsl:otherwise>l-other</xsl:otherwise>
    </xsl:choose></xsl:variable>
    <xsl:attribute name="class"><xsl:value-of select="normalize-space(concat($class, ' ', $of-level))"/></xsl:attribute>
  </xsl:template>

  <xsl:template name="time">
    <xsl:param name="t"/>
    <xsl:variable name="a" select="$t * (1 - 2 * ($t &lt; 0))"/>
    <xsl:choose>
      <xsl:when test="not($a &gt;= 0)">—</xsl:when>
      <xsl:when test="$a &lt; 0.0000000005">0</xsl:when>
      <xsl:when test="$a &lt; 0.0000009995"><xsl:value-of select="format-number($t * 1000000000, '0')"/> ns</xsl:when>
      <xsl:when test="$a &lt; 0.0009995"><xsl:call-template name="digits"><xsl:with-param name="v" select="$t * 1000000"/></xsl:call-template> µs</xsl:when>
      <xsl:when test="$a &lt; 0.9995"><xsl:call-template name="digits"><xsl:with-param name="v" select="$t * 1000"/></xsl:call-template> ms</xsl:when>
      <xsl:otherwise><xsl:call-template name="digits"><xsl:with-param name="v" select="$t"/></xsl:call-template> s</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template name="bytes">
    <xsl:param name="n"/>
    <xsl:choose>
      <xsl:when test="not($n &gt;= 0)"><xsl:value-of select="$n"/></xsl:when>
      <xsl:when test="$n &lt; 1000"><xsl:value-of select="format-number($n, '0')"/> B</xsl:when>
      <xsl:when test="$n &lt; 999500"><xsl:call-template name="digits"><xsl:with-param name="v" select="$n div 1000"/></xsl:call-template> kB</xsl:when>
      <xsl:when test="$n &lt; 999500000"><xsl:call-template name="digits"><xsl:with-param name="v" select="$n div 1000000"/></xsl:call-template> MB</xsl:when>
      <xsl:otherwise><xsl:call-template name="digits"><xsl:with-param name="v" select="$n div 1000000000"/></xsl:call-template> GB</xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- A number with three digits, or all that it has before the point. -->
  <xsl:template name="digits">
    <xsl:param name="v"/>
    <xsl:choose>
      <xsl:when test="$v &lt; 9.995"><xsl:value-of select="format-number($v, '0.00')"/></xsl:when>
      <xsl:when test="$v &lt; 99.95"><xsl:value-of select="format-number($v, '0.0')"/></xsl:when>
      <xsl:otherwise><xsl:value-of select="format-number($v, '#,##0')"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <!-- ============================================================ style ============================================================ -->

  <xsl:template name="style">
<xsl:text><![CDATA[
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #59636e; --line: #d9dee3; --soft: #f4f6f8; --accent: #0b62a8; --chosen: #dcebf8; --warn: #8f4a00; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e6e9ec; --faint: #9aa4ae; --line: #343b43; --soft: #1d2126; --accent: #6db3f2; --chosen: #24374a; --warn: #ffb86b; } }
/* Colours of levels, by their number: those of Okabe and Ito, which colour-blind eyes tell apart. MPI has always the same one. */
.l-mpi { --c: #d55e00 } .l0 { --c: #0072b2 } .l1 { --c: #e69f00 } .l2 { --c: #009e73 } .l3 { --c: #cc79a7 } .l4 { --c: #56b4e9 } .l5 { --c: #b8a000 } .l6 { --c: #7f6fc0 }
.l-other, .l-collector { --c: #8a8a8a }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; scroll-padding-top: 2rem; }
body { margin: 0; }
main { max-width: 1500px; margin: 0 auto; padding: 0 1.2rem 3rem; }
.paneled main { padding-bottom: 50vh; }
h1, h2, p, dl, dd { margin: 0; }
h1 { font-size: 1.3rem; min-width: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.4rem 0 .4rem; overflow-wrap: anywhere; }
a { color: var(--accent); } code { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
button, input, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .6rem; }
button { cursor: pointer; white-space: nowrap; } button:hover { background: var(--soft); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
.plain button, .plain .filter { display: none; }
.soft, .x, .note, .places { color: var(--faint); font-weight: 400; } .note { font-size: .85rem; margin: .2rem 0; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1rem; padding: .6rem 1.2rem; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; margin-top: 1rem; color: var(--faint); font-size: .85rem; } .facts b { font-weight: 500; color: var(--ink); overflow-wrap: anywhere; }
.notice { margin: .6rem 0 0; padding: .4rem .8rem; border-left: 3px solid var(--faint); background: var(--soft); }
.notice.warn { border-color: var(--warn); color: var(--warn); }
.figures { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 1rem 0; font-variant-numeric: tabular-nums; }
dt { color: var(--faint); font-size: .8rem; } .figures dd { font-size: 1.15rem; } .figures small { font-size: .85rem; color: var(--faint); margin-left: .5rem; }

.scroll { overflow: auto; max-height: 36rem; max-width: 100%; }
table { border-collapse: collapse; font-size: .88rem; }
th { position: sticky; top: 0; z-index: 1; background: var(--soft); text-align: left; } th, td { padding: .12rem .6rem; white-space: nowrap; } td { border-top: 1px solid var(--line); }
tbody tr:hover { background: var(--soft); }
.num { text-align: right; font-variant-numeric: tabular-nums; }
td, dd, b, strong, option, .r > span, .n > span { unicode-bidi: isolate; } /* a name that turns the direction turns nothing but itself */
.share { display: inline-block; width: 9rem; height: .7em; background: var(--soft); border: 1px solid var(--line); border-radius: 2px; overflow: hidden; }
.share i { display: block; height: 100%; width: calc(var(--w) * 100%); background: var(--accent); }
.percent { display: inline-block; width: 4.7rem; text-align: right; color: var(--faint); font-variant-numeric: tabular-nums; }
.section { border-bottom: 1px solid var(--line); padding: .25rem 0; } .section > summary { cursor: pointer; }
.dot { width: .9em; height: .9em; border-radius: 2px; background: var(--c); display: inline-block; margin-right: .4em; vertical-align: -1px; }

.tree-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem 1rem; margin-top: 1rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; font-size: .85rem; flex: 1; }
.tools { display: flex; flex-wrap: wrap; gap: .6rem; } .filter { width: 14rem; max-width: 100%; }
.tree { container-type: inline-size; border: 1px solid var(--line); border-radius: 2px; margin-top: .3rem; padding-bottom: .3rem; font-size: .88rem; --z: 0; --zoom: 1; }
.r { display: grid; grid-template-columns: minmax(9rem, 1fr) 9.5rem 5rem 11rem 34cqi 5.6rem; gap: 0 .9rem; align-items: center; height: 1.75rem; padding: 0 .8rem 0 .4rem; cursor: default; }
.r > span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.rows .r:hover, .found .r:hover { background: var(--soft); } .r.chosen { background: var(--chosen) !important; }
summary.r { list-style: none; cursor: pointer; } summary.r::-webkit-details-marker { display: none; }
.n { display: block; } .n::before { content: ""; display: inline-block; width: 1.1rem; color: var(--faint); text-align: center; }
summary.r > .n::before { content: "▸"; } details[open] > summary.r > .n::before { rotate: 90deg; }
.c { color: var(--faint); } .n .x { margin-left: .6rem; } .n .deep { margin: 0 .4rem 0 0; font-size: .85em; }
.p .x { font-size: .92em; } .y, .d { text-align: right; font-variant-numeric: tabular-nums; } .y, .f { color: var(--faint); }
.f { direction: rtl; text-align: left; } .f::before { content: "\200e"; } /* a long path loses its beginning, not its end */
.t { position: relative; height: 1.05rem; } .r > .t { user-select: none; } .rows .t, .found .t { background: linear-gradient(var(--soft), var(--soft)) center / 100% 100% no-repeat; border-radius: 2px; }
.t i { position: absolute; top: .17rem; bottom: .17rem; left: calc((var(--s) - var(--z)) * var(--zoom) * (100% - 2px)); width: max(2px, calc(var(--w) * var(--zoom) * 100%));
  border-radius: 1.5px; background: var(--c); }
.g > summary .t i { background: #8a8a8a; } .rest .t i { background: repeating-linear-gradient(135deg, #8a8a8a 0 2px, transparent 2px 5px); } .t i.open { background: linear-gradient(90deg, var(--c), transparent); } .t i.several { background: repeating-linear-gradient(135deg, var(--c) 0 3px, transparent 3px 5px); }
.g > summary > .n, .head > .n, .rest > .n { grid-column: 1 / 5; } .range { font-weight: 500; } .head { font-weight: 600; }
.bad { color: var(--warn); } .n .bad { margin-left: .6rem; } .l-collector { color: var(--faint); font-style: italic; }
.rows details > :not(summary) { margin-left: .9rem; border-left: 1px solid var(--line); } .rows details > .z { margin-left: 0; border: 0; }
.thread { margin-top: .5rem; border-top: 1px solid var(--line); } .rows > p, .found > p { padding: .5rem 1rem; }
.axis { position: sticky; top: 0; z-index: 2; background: var(--soft); color: var(--faint); border-bottom: 1px solid var(--line); margin-bottom: .25rem; }
.axis .t { display: flex; justify-content: space-between; height: auto; } .axis .f { direction: ltr; }
.plain [data-a]:focus::after { content: attr(data-a); white-space: pre-wrap; position: fixed; inset: auto 0 0 0; padding: 1rem; background: var(--soft); border-top: 1px solid var(--line); }

#panel { position: fixed; inset: auto 0 0 0; z-index: 5; background: var(--soft); border-top: 1px solid var(--line);
  padding: .7rem max(1.2rem, calc((100vw - 1500px) / 2 + 1.2rem)) 1rem; max-height: 45vh; overflow: auto; }
.panel-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem 1rem; margin-bottom: .5rem; }
#panel-name { overflow-wrap: anywhere; } #panel-note { color: var(--faint); flex: 1; }
.actions { display: flex; gap: .4rem; }
#attributes { display: grid; grid-template-columns: repeat(auto-fill, minmax(12.5rem, 1fr)); gap: .3rem 1.6rem; font-variant-numeric: tabular-nums; }
#attributes dd { overflow-wrap: anywhere; } #attributes .long { grid-column: 1 / -1; }

@media (max-width: 60rem) { .r { grid-template-columns: minmax(8rem, 1fr) 8rem 4.5rem 24cqi 5.2rem; } .f, .axis .f { display: none; } .g > summary > .n, .head > .n, .rest > .n { grid-column: 1 / 4; } }
@media (max-width: 42rem) {
  main, .top { padding-left: .7rem; padding-right: .7rem; } .scroll td, .scroll th { padding: .12rem .4rem; } .share { width: 3rem; }
  .r { grid-template-columns: minmax(0, 1fr) auto 6.2rem; height: auto; padding-top: .2rem; padding-bottom: .3rem; gap: .1rem .6rem; }
  .r > .y { display: none; } .r > .n { grid-column: 1; grid-row: 1; } .r > .p { grid-column: 2; grid-row: 1; } .r > .d { grid-column: 3; grid-row: 1; }
  .r > .t { grid-column: 1 / -1; grid-row: 2; height: .5rem; width: calc(100cqi - 1.2rem); justify-self: end; } .r > .t i { top: 0; bottom: 0; } .axis.r .t { height: auto; }
  .g > summary > .n, .head > .n, .rest > .n { grid-column: 1 / 3; } .axis .p { display: none; }
  .tools, .filter { width: 100%; } #attributes { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); } #panel { padding: .6rem .7rem .8rem; }
}
@media print { .top nav, .tools, #panel { display: none; } .scroll { max-height: none; overflow: visible; } .r { break-inside: avoid; } .axis { position: static; } }
]]></xsl:text>
  </xsl:template>

  <!-- ============================================================ script ============================================================ -->

  <!-- The script contains no data of the trace. Rows have the data in data-a; the script writes it into the page only by textContent. -->
  <xsl:template name="script">
<xsl:text><![CDATA[
(function () {
  'use strict';
  const root = document.documentElement, $ = (id) => document.getElementById(id);
  const panel = $('panel'), shownAtOnce = 200, openedAtOnce = 400;
  let chosen = null;
  root.classList.remove('plain');

  // Rows and their places in the tree. The row of a <details> element is its <summary>.
  const nodeOf = (row) => row.localName === 'summary' ? row.parentElement : row;
  const rowOf = (node) => node && node.localName === 'details' ? node.firstElementChild : node;
  const isOpen = (row) => row.localName === 'summary' && row.parentElement.open;
  function below(row) {
    if (isOpen(row) && row.nextElementSibling) return rowOf(row.nextElementSibling);
    for (let node = nodeOf(row); !node.matches('.rows, .found'); node = node.parentElement)
      if (node.nextElementSibling) return rowOf(node.nextElementSibling);
    return null;
  }
  function above(row) {
    let node = nodeOf(row).previousElementSibling;
    if (!node) return null;
    if (node.localName === 'summary') return node;
    while (node.localName === 'details' && node.open) node = node.lastElementChild;
    return rowOf(node);
  }
  function outside(row) {
    const node = nodeOf(row).parentElement;
    return node.localName === 'details' ? node.firstElementChild : null;
  }

  // The panel: all attributes of the chosen operation.
  const attributesOf = (row) => row.dataset.a.split('\n').filter(Boolean).map((s) => [s.slice(0, s.indexOf('=')), s.slice(s.indexOf('=') + 1)]);
  function depthOf(row) {
    let n = 0;
    for (let node = (row.origin || row); (node = outside(node)); ) if (node.dataset.a) n++;
    return n;
  }
  function choose(row) {
    if (chosen) chosen.classList.remove('chosen');
    chosen = row && row.dataset.a !== undefined ? row : null;
    panel.hidden = !chosen;
    root.classList.toggle('paneled', Boolean(chosen));
    if (!chosen) return;
    chosen.classList.add('chosen');
    const text = (part) => (row.querySelector(part) || { textContent: '' }).textContent.trim();
    $('panel-name').textContent = attributesOf(row).some(([n]) => n === 'args') ? text('.n').slice(0, -text('.n .x:not(.deep)').length || undefined) : text('.n');
    $('panel-note').textContent = [text('.d'), 'depth ' + depthOf(row)].join(' · ');
    $('reveal').hidden = !row.origin;
    $('attributes').replaceChildren(...attributesOf(row).map(([name, value]) => {
      const item = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
      dt.textContent = name;
      dd.textContent = value === '' ? '(empty)' : value;
      if (value.length > 60) item.className = 'long';
      item.append(dt, dd);
      return item;
    }));
    root.style.scrollPaddingBottom = panel.offsetHeight + 8 + 'px';
    row.scrollIntoView({ block: 'nearest' });
  }
  function reveal(row) {
    for (let r = row; (r = outside(r)); ) r.parentElement.open = true;
    row.focus();
    row.scrollIntoView({ block: 'center' });
    choose(row);
  }
  $('close').addEventListener('click', () => choose(null));
  $('reveal').addEventListener('click', () => {
    const row = chosen.origin, section = row.closest('.rank');
    section.querySelector('.filter').value = '';
    filter(section);
    reveal(row);
  });

  // Zoom: the style computes every bar from two numbers.
  const readable = (t) => { const a = Math.abs(t); return a < 1e-6 ? (t * 1e9).toFixed(0) + ' ns' : a < 1e-3 ? (t * 1e6).toFixed(1) + ' µs' : a < 1 ? (t * 1e3).toFixed(a < .1 ? 3 : 2) + ' ms' : t.toFixed(6) + ' s'; };
  function zoom(tree, start, length) {
    const init = +tree.dataset.init, span = tree.dataset.end - init, whole = !(length > 0) || length >= 1;
    tree.style.setProperty('--z', whole ? 0 : start);
    tree.style.setProperty('--zoom', whole ? 1 : 1 / length);
    tree.querySelector('.from').textContent = readable(init + (whole ? 0 : start) * span);
    tree.querySelector('.to').textContent = readable(init + (whole ? 1 : start + length) * span);
    tree.closest('.rank').querySelector('.whole').hidden = whole;
  }
  function zoomTo(row) {
    const bar = row && row.querySelector('.t i'), part = (name) => +bar.style.getPropertyValue(name);
    if (bar) zoom(row.closest('.tree'), part('--s'), part('--w'));
  }
  $('zoom').addEventListener('click', () => zoomTo(chosen));

  // The filter shows the first matching operations as a flat list. The tree itself does not change.
  function filter(section) {
    const words = section.querySelector('.filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = section.querySelector('.rows'), found = section.querySelector('.found'), of = section.querySelector('.tree').dataset.of;
    choose(null);
    rows.hidden = words.length > 0;
    found.hidden = !rows.hidden;
    found.replaceChildren();
    if (!words.length) return;
    let count = 0;
    for (const row of rows.querySelectorAll('[data-a]')) {
      const text = (row.querySelector('.n').textContent + ' ' + row.querySelector('.f').textContent).toLowerCase();
      if (!words.every((word) => text.includes(word)) || ++count > shownAtOnce) continue;
      const copy = document.createElement('div');
      copy.className = row.className;
      copy.classList.remove('chosen', 'z');
      copy.style.cssText = row.style.cssText;
      copy.tabIndex = 0;
      copy.dataset.a = row.dataset.a;
      copy.origin = row;
      copy.append(...[...row.children].map((cell) => cell.cloneNode(true)));
      found.append(copy);
    }
    const note = document.createElement('p');
    note.className = 'soft';
    note.textContent = count === 0 ? 'No operation matches' + (of && ' of those on this page (' + of + ')') + '.' : count.toLocaleString('en') + (count === 1 ? ' operation matches' : ' operations match') + (of && ' of those on this page (' + of + ')') + '.' + (count > shownAtOnce ? ' The first ' + shownAtOnce + ' are shown.' : '');
    found.prepend(note);
  }

  // Open one level of all visible closed rows. Stop before the page becomes too long to read.
  function openLevel(rows) {
    let left = openedAtOnce;
    const closed = [];
    for (let row = rowOf(rows.firstElementChild); row && row.classList.contains('r'); row = below(row))
      if (row.localName === 'summary' && !row.parentElement.open) closed.push(row.parentElement);
    for (const node of closed) {
      left -= node.childElementCount - 1;
      if (left < 0) break;
      node.open = true;
    }
  }

  const keys = {
    ArrowDown: (row) => { const to = below(row); if (to) to.focus(); },
    ArrowUp: (row) => { const to = above(row); if (to) to.focus(); },
    ArrowRight: (row) => { if (row.localName === 'summary' && !isOpen(row)) row.parentElement.open = true; else if (isOpen(row)) below(row).focus(); },
    ArrowLeft: (row) => { if (isOpen(row)) row.parentElement.open = false; else if (outside(row)) outside(row).focus(); },
    Enter: (row) => { if (row.localName !== 'summary') choose(row); else row.click(); },
    z: zoomTo,
  };
  for (const section of document.querySelectorAll('.rank')) {
    const tree = section.querySelector('.tree'), on = (part, kind, action) => section.querySelector(part).addEventListener(kind, action);
    tree.addEventListener('click', (e) => { const row = e.target.closest('.r'); if (row && !row.matches('.axis')) choose(row); });
    tree.addEventListener('dblclick', (e) => { const row = e.target.closest('.t') && e.target.closest('.r'); if (row) row.matches('.axis') ? zoom(tree, 0, 1) : zoomTo(row); });
    // Pressing the mouse button gives focus before the click. If focus opened the panel then, the row could move away from the mouse.
    let pressed = false;
    tree.addEventListener('pointerdown', () => { pressed = true; setTimeout(() => { pressed = false; }); });
    tree.addEventListener('focusin', (e) => { if (!pressed && e.target.matches('.r')) choose(e.target); });
    tree.addEventListener('keydown', (e) => {
      pressed = false; // a key may come before the timer
      if (!e.target.matches('.r') || !keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      keys[e.key](e.target);
    });
    let timer = 0;
    on('.filter', 'input', () => { clearTimeout(timer); timer = setTimeout(filter, 120, section); });
    on('.deeper', 'click', () => openLevel(section.querySelector('.rows')));
    on('.fold', 'click', () => section.querySelectorAll('.rows details[open]').forEach((node) => { node.open = node.matches('.thread'); }));
    on('.whole', 'click', () => zoom(tree, 0, 1));
  }
  document.addEventListener('keydown', (e) => { if (e.key === 'Escape' && !panel.hidden) { const row = chosen; choose(null); if (row) row.blur(); } });

})();
]]></xsl:text>
  </xsl:template>
</xsl:stylesheet>
