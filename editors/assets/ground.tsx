<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.2" name="ground" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <image source="ground.png" width="64" height="16"/>
 <tile id="0">
  <properties>
   <property name="terrain" type="class" propertytype="bevy_tilepath::Terrain">
    <properties>
     <property name="0" type="int" value="1"/>
    </properties>
   </property>
  </properties>
 </tile>
 <tile id="1">
  <properties>
   <property name="terrain" type="class" propertytype="bevy_tilepath::Terrain">
    <properties>
     <property name="0" type="int" value="3"/>
    </properties>
   </property>
  </properties>
 </tile>
 <tile id="2">
  <properties>
   <property name="terrain" type="class" propertytype="bevy_tilepath::Terrain">
    <properties>
     <property name="0" type="int" value="4"/>
    </properties>
   </property>
  </properties>
 </tile>
 <tile id="3">
  <properties>
   <property name="terrain" type="class" propertytype="bevy_tilepath::Terrain">
    <properties>
     <property name="0" type="int" value="0"/>
    </properties>
   </property>
  </properties>
 </tile>
</tileset>
